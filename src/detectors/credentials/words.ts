/**
 * For each letter, the letters that follow it in nine of ten cases in English and in identifiers.
 */
const followers: Readonly<Record<string, string>> = {
  a: "bcdgilmnprstu",
  b: "abcefilorsu",
  c: "acehiklortu",
  d: "adeilorsu",
  e: "acdeflmnprstx",
  f: "abcdefilortuy",
  g: "aeghilnorsu",
  h: "aeiortuy",
  i: "acdefglmnoprstvz",
  j: "aeiosuw",
  k: "acdeilnrsu",
  l: "adeilostuy",
  m: "abeimopsu",
  n: "acdegiost",
  o: "bcdglmnoprstuvw",
  p: "aehiloprstu",
  q: "lu",
  r: "acdeimorstuy",
  s: "acehiopstu",
  t: "acehiorstuy",
  u: "abcegilmnprst",
  v: "aeio",
  w: "aehilnors",
  x: "acehiptxy",
  y: "abcdeilmnopstw",
  z: "aeioyz",
};

/**
 * The share of neighbouring characters in a text that are common neighbours in words, 0 to 1: about
 * 0.9 in words and identifiers, 0.4 in random letters, 0.25 in random letters and digits. Pairs at
 * separators and at the humps of camel case don't count. 0 if no pair counts.
 */
export function wordShare(text: string): number {
  let pairs = 0;
  let common = 0;
  for (let at = 1; at < text.length; at += 1) {
    const first = text.charAt(at - 1);
    const second = text.charAt(at);
    if (!alphanumeric.test(first) || !alphanumeric.test(second)) continue;
    if (lower.test(first) && upper.test(second)) continue;
    pairs += 1;
    if (followers[first.toLowerCase()]?.includes(second.toLowerCase())) common += 1;
  }
  return pairs === 0 ? 0 : common / pairs;
}

/**
 * Whether every part between separators is a word, an abbreviation or a plain number:
 * `rc-0.15.0_20231217`, `2024-01-31T12:00`, `my-service-prod-2`, `response.data.accessToken`. Random text mixes letters
 * and digits within a part.
 */
export function isTidy(text: string): boolean {
  return text.split(/[^A-Za-z0-9]+/).every(isTidyPart);
}

const wordShareMin = 0.7;
const abbreviationLengthMax = 3;

/** Abbreviations that no rule of spelling knows, with their versions and sizes. */
const technical =
  /^(?:csrf|xsrf|hmac|oidc|oauth|saml|ldap|ntlm|https?|html|json|yaml|grpc|sasl|pkcs|pbkdf|ecdsa|eddsa|utf|base|keys?|sha|aes|rsa|hs|rs|es)\d{0,4}$/i;

export function isTechnical(part: string): boolean {
  return technical.test(part);
}

function isTidyPart(part: string): boolean {
  if (/^\d+T\d+$/.test(part) || isTechnical(part)) return true;
  const [, letters] = /^([A-Za-z]*)\d{0,8}$/.exec(part) ?? [];
  if (letters === undefined) return false;
  return letters.length <= abbreviationLengthMax || wordShare(letters) >= wordShareMin;
}

const alphanumeric = /[A-Za-z0-9]/;
const lower = /[a-z]/;
const upper = /[A-Z]/;
