([shot, reference, width]) => {
  // Shrink a screenshot to a width; return it as a PNG, and the share of its pixels that differ from a reference.
  const FAR = 40; // of 255, in any channel
  const draw = async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    return image;
  };
  const pixels = (image, height) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    return { canvas, data: context.getImageData(0, 0, width, height).data };
  };
  return (async () => {
    const image = await draw(shot);
    const height = Math.round(image.height * width / image.width);
    const { canvas, data } = pixels(image, height);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    const png = btoa(String.fromCharCode(...bytes));
    if (reference === null) return [png, 1];
    const known = await draw(reference);
    if (known.width !== width || known.height !== height) return [png, 1];
    const { data: expected } = pixels(known, height);
    let far = 0;
    for (let at = 0; at < data.length; at += 4) {
      if ([0, 1, 2].some((channel) => Math.abs(data[at + channel] - expected[at + channel]) > FAR)) far += 1;
    }
    return [png, far / (width * height)];
  })();
}
