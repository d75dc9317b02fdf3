/**
 * The kind of name that a token is part of. An address has a street, a house number or a postal
 * code.
 */
export const label = { none: 0, person: 1, location: 2, organization: 3, address: 4 } as const;
export const labelsCount = 5;

/** How a candidate follows the one before it. */
export const link = {
  next: 0,
  hyphen: 1,
  apostrophe: 2,
  dot: 3,
  comma: 4,
  ampersand: 5,
  line: 6,
  commaLine: 7,
  /** Unrelated. */
  apart: 8,
} as const;
export const linksCount = 8;
