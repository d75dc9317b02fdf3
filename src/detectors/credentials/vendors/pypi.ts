import type { EntityDetector } from "../../entity.ts";
import { markedToken } from "../marked-token.ts";

export const pypi: readonly EntityDetector[] = [
  markedToken({
    id: "pypi-token",
    entityType: "PYPI_TOKEN",
    description: "Upload token of PyPI.",
    prefix: ["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
    body: String.raw`[\w-]{50,}`,
    examples: [
      "xJwcogy9QFIT5qkXDe5p7z2QS1CyyVJ8Lb38kFD4QXhunouVqflYXWUU6JSyyjDHgET63REuOhN4q0wT",
      "BBVFsIVNgm8kLCJZWo5XPrTFQ2yoyUZI0mbxuQWxr366L4BLf6vifHh4Vohl3LwiZE9IxCfPy7qcCT7a",
    ],
  }),
];
