/**
 * One line. A cell that a spreadsheet would run as a formula is neutralized (design section 7, `/v1/audit`);
 * null is an empty cell.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const isFormula = formulaStart.test(value) && !decimal.test(value);
  const safe = isFormula ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Characters with which a spreadsheet may begin a formula, or which it may skip before one. The full-width
 * forms are included, because some spreadsheets read them as the plain ones.
 */
const formulaStart = /^[=+\-@＝＋－＠\t\r\n]/;

/** An amount. A negative one must stay a number too, or sums would leave it out. */
const decimal = /^-?\d+(?:\.\d+)?$/;
