"""An engine for tests that says what a file tells: after each line what stands for its longest beginning.

Arguments: a JSON file with an object of beginnings and answers, and a file to which it writes what it is told.
"""

import json
import sys
import time
from pathlib import Path

script = json.loads(Path(sys.argv[1]).read_text())
with open(sys.argv[2], "a") as log:
    for line in sys.stdin:
        print(line.strip(), file=log, flush=True)
        found = max((begin for begin in script if line.startswith(begin)), key=len, default="")
        for answer in script.get(found, "").splitlines():
            if answer == "HANG":
                time.sleep(60)
            if answer.startswith("EXIT "):
                sys.exit(int(answer[5:]))
            print(answer, flush=True)
        if line.strip() == "quit":
            break
