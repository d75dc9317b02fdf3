/**
 * Keccak-256 with the padding of the original submission, as Ethereum uses it; SHA3-256 of Node's
 * crypto pads otherwise.
 */
export function keccak256(message: Uint8Array): Buffer {
  const state = new BigUint64Array(25);
  const padded = new Uint8Array((Math.floor(message.length / rateBytes) + 1) * rateBytes);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const lanes = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += rateBytes) {
    for (let lane = 0; lane < rateBytes / 8; lane += 1) {
      state[lane] = at(state, lane) ^ lanes.getBigUint64(block + lane * 8, true);
    }
    permute(state);
  }
  return Buffer.from(state.buffer.slice(0, 32));
}

const rateBytes = 136;
const roundConstants = linearFeedbackConstants();

/** Where each lane of the state goes in the step rho-pi, and by how many bits it is rotated. */
const moves = lanesMoved();

function permute(state: BigUint64Array): void {
  const moved = new BigUint64Array(25);
  for (const constant of roundConstants) {
    theta(state);
    for (const { from, to, bits } of moves) moved[to] = rotated(at(state, from), bits);
    for (let lane = 0; lane < 25; lane += 1) {
      const row = lane - (lane % 5);
      const next = at(moved, row + ((lane + 1) % 5));
      state[lane] = at(moved, lane) ^ (~next & at(moved, row + ((lane + 2) % 5)));
    }
    state[0] = at(state, 0) ^ constant;
  }
}

function theta(state: BigUint64Array): void {
  const parity = [0, 1, 2, 3, 4].map((x) =>
    [0, 5, 10, 15, 20].reduce((sum, row) => sum ^ at(state, row + x), 0n),
  );
  for (let lane = 0; lane < 25; lane += 1) {
    const left = parity[(lane + 4) % 5] ?? 0n;
    const right = parity[(lane + 1) % 5] ?? 0n;
    state[lane] = at(state, lane) ^ left ^ rotated(right, 1n);
  }
}

function at(lanes: BigUint64Array, index: number): bigint {
  return lanes[index] ?? 0n;
}

function rotated(lane: bigint, bits: bigint): bigint {
  return BigInt.asUintN(64, (lane << bits) | (lane >> (64n - bits)));
}

function lanesMoved(): readonly { from: number; to: number; bits: bigint }[] {
  const all = [{ from: 0, to: 0, bits: 0n }];
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step += 1) {
    const to = y + 5 * ((2 * x + 3 * y) % 5);
    all.push({ from: x + 5 * y, to, bits: BigInt((((step + 1) * (step + 2)) / 2) % 64) });
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return all;
}

/** One bit of an 8-bit linear feedback shift register at each of the places 2^j - 1. */
function linearFeedbackConstants(): readonly bigint[] {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
}
