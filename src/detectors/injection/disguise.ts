/** Ways to write a letter as something else that honest texts seldom have. */
export const disguise = { leet: 1, lookalike: 2, spaced: 3, escaped: 4 } as const;
