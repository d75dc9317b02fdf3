import eslint from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const noDefaultExport = {
  selector: "ExportDefaultDeclaration",
  message: "Export by name: a default export has another name in every file that imports it.",
};
const noEnum = { selector: "TSEnumDeclaration", message: "Use a union of string literals." };
const noDoubleCast = {
  selector: "TSAsExpression > TSAsExpression[typeAnnotation.type='TSUnknownKeyword']",
  message: "`as unknown as` hides a type error: narrow the value instead.",
};
const noReExport = {
  selector: "ExportAllDeclaration",
  message: "No barrel files: import from the file that defines the name.",
};

export default defineConfig(
  globalIgnores([
    ...["dist/", "dist.*/", "data/", ".toolchain/", ".agents/", "bench/reports/"],
    // Their packages are not in the lock file: nothing is known of their types.
    "test/agents/loops/",
  ]),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: ["tsconfig.check.json", "ui/tsconfig.json"] } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      "@typescript-eslint/strict-boolean-expressions": [
        "error",
        // A nullable number or string is where 0 and "" get lost.
        {
          allowNullableBoolean: true,
          allowNullableObject: true,
          allowString: true,
          allowNumber: true,
        },
      ],
      // There are no enums.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      // `[...digits]` of a string is meant.
      "@typescript-eslint/no-misused-spread": [
        "error",
        { allow: [{ from: "lib", name: "string" }] },
      ],
      "@typescript-eslint/promise-function-async": "off",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true, allow: [{ from: "lib", name: ["Error", "URL"] }] },
      ],
      // A counter that is incremented in a callback, and `while (true)`, are not mistakes.
      "@typescript-eslint/no-unnecessary-condition": [
        "error",
        { allowConstantLoopConditions: true },
      ],
      // It asks for braces where `return done(result)` and `() => clearTimeout(timer)` read well.
      "@typescript-eslint/no-confusing-void-expression": "off",
      eqeqeq: "error",
      "no-restricted-syntax": ["error", noDefaultExport, noEnum, noDoubleCast, noReExport],
    },
  },
  {
    files: ["**/*.config.{js,ts}", ".dependency-cruiser.mjs"],
    rules: { "no-restricted-syntax": ["error", noEnum, noDoubleCast, noReExport] },
  },
  {
    // Plain JavaScript reads its JSON without a schema; undefined names are the compiler's to find.
    files: ["**/*.{js,mjs}"],
    rules: {
      "no-undef": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
);
