/**
 * Keccak-256 with the padding of the original submission, as Ethereum uses it. SHA3-256 in Node's
 * crypto pads differently. A lane of 64 bits is kept as two words, the low one first, because BigInt
 * is 30 times slower.
 */
export function keccak256(message: Uint8Array): Buffer {
  const state = new Uint32Array(50);
  const padded = new Uint8Array((Math.floor(message.length / rateBytes) + 1) * rateBytes);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += rateBytes) {
    for (let word = 0; word < rateBytes / 4; word += 1) {
      state[word] = at(state, word) ^ words.getUint32(block + word * 4, true);
    }
    permute(state);
  }
  const digest = Buffer.alloc(32);
  for (let word = 0; word < 8; word += 1) digest.writeUInt32LE(at(state, word), word * 4);
  return digest;
}

const rateBytes = 136;
const roundConstants = linearFeedbackConstants();

/** Where each lane goes in the step rho-pi, and by how many bits it is rotated. */
const moves = lanesMoved();

function permute(state: Uint32Array): void {
  const moved = new Uint32Array(50);
  for (const constant of roundConstants) {
    theta(state);
    for (const { from, to, bits } of moves) {
      const low = at(state, from * 2);
      const high = at(state, from * 2 + 1);
      moved[to * 2] = rotatedLow(low, high, bits);
      moved[to * 2 + 1] = rotatedLow(high, low, bits);
    }
    for (let word = 0; word < 50; word += 1) {
      const row = word - (word % 10);
      const next = at(moved, row + ((word + 2) % 10));
      state[word] = at(moved, word) ^ (~next & at(moved, row + ((word + 4) % 10)));
    }
    state[0] = at(state, 0) ^ constant.low;
    state[1] = at(state, 1) ^ constant.high;
  }
}

function theta(state: Uint32Array): void {
  const parity = new Uint32Array(10);
  for (let word = 0; word < 50; word += 1) {
    parity[word % 10] = at(parity, word % 10) ^ at(state, word);
  }
  for (let word = 0; word < 50; word += 1) {
    const left = at(parity, (word + 8) % 10);
    const right = (word + 2) % 10;
    state[word] = at(state, word) ^ left ^ rotatedLow(at(parity, right), at(parity, right ^ 1), 1);
  }
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/**
 * The low word of a lane after a rotation to the left. A call with the two words exchanged gives
 * the high word.
 */
function rotatedLow(low: number, high: number, bits: number): number {
  if (bits === 0) return low;
  if (bits === 32) return high;
  if (bits > 32) return (high << (bits - 32)) | (low >>> (64 - bits));
  return (low << bits) | (high >>> (32 - bits));
}

function lanesMoved(): readonly { from: number; to: number; bits: number }[] {
  const all = [{ from: 0, to: 0, bits: 0 }];
  let [x, y] = [1, 0];
  for (let step = 0; step < 24; step += 1) {
    const next = (2 * x + 3 * y) % 5;
    all.push({ from: x + 5 * y, to: y + 5 * next, bits: (((step + 1) * (step + 2)) / 2) % 64 });
    [x, y] = [y, next];
  }
  return all;
}

/** One bit of an 8-bit linear feedback shift register at each of the places 2^j - 1. */
function linearFeedbackConstants(): readonly { low: number; high: number }[] {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    const constant = { low: 0, high: 0 };
    for (let j = 0; j < 7; j += 1) {
      const bit = 2 ** j - 1;
      if (register & 1) constant[bit < 32 ? "low" : "high"] |= 1 << (bit % 32);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
}
