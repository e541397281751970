// Chance from a seed: the generator sfc32 (C. Doty-Humphrey, PractRand).

export class Random {
  private state: [number, number, number, number] = [0, 0, 0, 1];

  constructor(seed: Uint8Array) {
    for (let place = 0; place < 12 && place < seed.length; place++) {
      this.state[place >> 2] |= seed[place] << (8 * (place & 3));
    }
    for (let turn = 0; turn < 12; turn++) {
      this.next();
    }
  }

  /** Returns a whole number from 0 to `n - 1`. */
  below(n: number): number {
    return Math.floor((this.next() / 2 ** 32) * n);
  }

  private next(): number {
    let [a, b, c, counter] = this.state;
    const sum = (a + b + counter) | 0;
    this.state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + sum) | 0, (counter + 1) | 0];
    return sum >>> 0;
  }
}
