/** A row to learn from: its inputs, the first of which is 1, its label, and what it counts. */
export interface LogisticRow {
  readonly inputs: Float64Array;
  readonly label: 0 | 1;
  readonly weight: number;
}

/** Steps of Newton's method; it takes a dozen. */
const stepsMax = 50;
/** A step that moves no coefficient by more than this is the last. */
const settled = 1e-9;

/**
 * The coefficients of a logistic regression by Newton's method. `decay` holds each but the first near
 * 0. The same rows in the same order give the same bits.
 */
export function fitLogistic(rows: readonly LogisticRow[], decay: number): Float64Array {
  const size = rows[0]?.inputs.length ?? 0;
  const found = new Float64Array(size);
  for (let step = 0; step < stepsMax; step++) {
    const { slope, curvature } = derivatives(rows, found, decay);
    const change = solve(curvature, slope);
    let most = 0;
    for (let at = 0; at < size; at++) {
      found[at] = (found[at] ?? 0) + (change[at] ?? 0);
      most = Math.max(most, Math.abs(change[at] ?? 0));
    }
    if (most < settled) break;
  }
  return found;
}

/** Log-odds of a row. */
export function logOddsBy(coefficients: Float64Array, inputs: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < inputs.length; at++) sum += (coefficients[at] ?? 0) * (inputs[at] ?? 0);
  return sum;
}

function derivatives(
  rows: readonly LogisticRow[],
  coefficients: Float64Array,
  decay: number,
): { slope: Float64Array; curvature: Float64Array } {
  const size = coefficients.length;
  const slope = new Float64Array(size);
  const curvature = new Float64Array(size * size);
  for (const { inputs, label, weight } of rows) {
    const p = 1 / (1 + Math.exp(-logOddsBy(coefficients, inputs)));
    const error = weight * (label - p);
    const bend = weight * Math.max(p * (1 - p), 1e-6);
    for (let row = 0; row < size; row++) {
      const input = inputs[row] ?? 0;
      if (input === 0) continue;
      slope[row] = (slope[row] ?? 0) + error * input;
      const share = bend * input;
      for (let column = 0; column <= row; column++) {
        const at = row * size + column;
        curvature[at] = (curvature[at] ?? 0) + share * (inputs[column] ?? 0);
      }
    }
  }
  for (let at = 0; at < size; at++) {
    const held = at === 0 ? 1e-9 : decay;
    slope[at] = (slope[at] ?? 0) - held * (coefficients[at] ?? 0);
    curvature[at * size + at] = (curvature[at * size + at] ?? 0) + held;
  }
  return { slope, curvature };
}

/** Solves a symmetric positive system, of which the lower triangle is given, after Cholesky. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const lower = Float64Array.from(matrix);
  const found = Float64Array.from(right);
  const entry = (row: number, column: number): number => lower[row * size + column] ?? 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = entry(row, column);
      for (let at = 0; at < column; at++) sum -= entry(row, at) * entry(column, at);
      lower[row * size + column] =
        row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / entry(column, column);
    }
  }
  for (let row = 0; row < size; row++) {
    let sum = found[row] ?? 0;
    for (let at = 0; at < row; at++) sum -= entry(row, at) * (found[at] ?? 0);
    found[row] = sum / entry(row, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = found[row] ?? 0;
    for (let at = row + 1; at < size; at++) sum -= entry(at, row) * (found[at] ?? 0);
    found[row] = sum / entry(row, row);
  }
  return found;
}
