// After UTS #39, confusables.txt: letters that look like a Latin one, in lower case. Letters that
// Russian or Greek text needs are folded too. Each is always folded in the same way, so different
// words stay different.
const lookalikes: Readonly<Record<string, string>> = {
  a: "аαɑᴀ⍺а",
  b: "вьЬᏏʙƄ",
  c: "сϲᴄⅽ",
  d: "ԁɗᴅđ",
  e: "еεєҽᴇ℮ɛ",
  f: "ƒꜰ",
  g: "ɡցɢǥ",
  h: "һнհʜħ",
  i: "іιıɪӏ¡",
  j: "јʝᴊ",
  k: "кκᴋƙ",
  l: "ⅼʟłɭ",
  m: "мᴍⅿ",
  n: "пηոɴŋ",
  o: "оοσօᴏø",
  p: "рρᴘþ",
  q: "ԛզ",
  r: "гʀɾ",
  s: "ѕꜱʂƨ",
  t: "тτᴛŧ",
  u: "υսᴜʋ",
  v: "νѵᴠⅴ",
  w: "ԝωաᴡш",
  x: "хχⅹ×",
  y: "уγүʏ",
  z: "ᴢʐƶ",
  "'": "‘’ʼ`´",
  '"': "“”„«»",
  "-": "‐‑‒–—−",
};

/** The Latin letter that a character looks like. */
export const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([latin, others]) =>
    [...others].map((other): [string, string] => [other, latin]),
  ),
);
