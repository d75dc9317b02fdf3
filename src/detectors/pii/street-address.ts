import type { EntityDetector } from "../entity.ts";
import { latinCapitals, latinLetters } from "./latin-letters.ts";

/** In Australia and New Zealand the number of the flat stands first: 14/88. */
const houseNumber = String.raw`(?:\d{1,4}/)?\d{1,5}(?:-\d{1,5})?[A-Za-z]?`;

/** A word of a street's name: with a capital or a number, so that prose does not match. */
const nameWord = String.raw`(?:[${latinCapitals}][${latinLetters}'’.-]*|\d{1,3}(?:st|nd|rd|th)|of|the|de|la|del|van|von)`;

/** Kinds of street that seldom have another meaning in text. */
const kinds =
  "Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Circle|Cir|Place|Pl|Terrace|" +
  "Parkway|Pkwy|Highway|Hwy|Square|Crescent|Close|Mews|Turnpike|Tpke|Expressway|Freeway";

/**
 * Kinds of street in the postal services' lists that are also ordinary words. They need a house
 * number.
 */
const rareKinds =
  "Alley|Arcade|Bayou|Beach|Bend|Bluffs?|Branch|Bridge|Brooks?|Burgs?|Bypass|Camp|Canyon|Cape|" +
  "Causeway|Center|Cliffs?|Corners?|Course|Cove|Creek|Crest|Crossing|Crossroads?|Curve|Dale|Dam|" +
  "Divide|Estates?|Falls|Ferry|Fields?|Flats?|Fords?|Forest|Forges?|Forks?|Fort|Gardens?|Gateway|" +
  "Glens?|Greens?|Groves?|Harbors?|Haven|Heights|Hills?|Hollow|Inlet|Islands?|Isle|Junctions?|Keys?|" +
  "Knolls?|Lakes?|Landing|Locks?|Lodge|Loop|Manors?|Meadows?|Mills?|Mission|Motorway|Mountains?|Neck|" +
  "Orchard|Oval|Overpass|Park|Parks|Pass|Passage|Path|Pike|Pines?|Plains?|Plaza|Points?|Ports?|" +
  "Prairie|Quay|Ranch|Rapids?|Ridges?|River|Route|Row|Run|Shoals?|Shores?|Skyway|Springs?|Spurs?|" +
  "Station|Stravenue|Stream|Summit|Trace|Track|Trail|Trl|Tunnel|Underpass|Unions?|Valleys?|Viaduct|" +
  "Views?|Villages?|Ville|Vista|Walks?|Wall|Way|Ways|Wells?|Wharf";

const unit =
  String.raw`(?:[.]?,? {1,2}(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|Building|Bldg)\.? ?#?[\w-]{1,6}\b|` +
  String.raw`[.]?,? {1,2}#\d{1,5}\b)?`;

const direction = "(?:(?:North|South|East|West|N|S|E|W|NE|NW|SE|SW)[.]? )?";
const directionAfter = "(?:[.]? (?:N|S|E|W|NE|NW|SE|SW|North|South|East|West)\\b)?";

export const streetAddress: EntityDetector = {
  id: "street-address",
  entityType: "STREET_ADDRESS",
  label: "ADDRESS",
  category: "pii",
  description:
    "A house number and a street's name with its kind, as English-speaking countries write.",
  keywords: [],
  pattern:
    String.raw`\b${houseNumber},? ${direction}(?:${nameWord} ){1,4}(?:${kinds}|${rareKinds})\b${directionAfter}${unit}|` +
    String.raw`\b${houseNumber} Broadway\b${unit}|` +
    String.raw`\b${houseNumber} ${nameWord}(?: (?:${nameWord}|${houseNumber})){0,4},? ` +
    String.raw`(?:Apt|Apartment|Suite|Ste|Flat)[.]? ?#?[\w-]{1,6}\b|` +
    String.raw`\b(?:P\.? ?O\.? ?Box|PO BOX|Post Office Box) {1,2}\d{1,6}\b`,
  score: 0.7,
  validate: (value) => {
    if (notStreets.test(value)) return false;
    if (surely.test(value)) return true;
    const house = Number.parseInt(value, 10);
    return house >= 100 && (house < 1800 || house > 2100) ? 0.55 : 0.35;
  },
  context: {
    words: [
      "address",
      "lives",
      "live",
      "living",
      "resides",
      "street",
      "home",
      "ship",
      "deliver",
      "mail",
    ],
    score: 0.85,
  },
  positives: [
    ["home: 14/88 Marlow St, Melbourne", "14/88 Marlow St"],
    ["Ship to 742 Juniper Hollow Road, Apt 5B.", "742 Juniper Hollow Road, Apt 5B"],
    ["at 18 N. 5th St, Dayton", "18 N. 5th St"],
    ["She lives at 221 Larkmoor Crescent", "221 Larkmoor Crescent"],
    ["77 Kastanienbogen Apt. 12", "77 Kastanienbogen Apt. 12"],
    ["P.O. Box 4471, Reno", "P.O. Box 4471"],
    ["parcels to 8812 Wrenfield Knolls now", "8812 Wrenfield Knolls"],
    ["1600 Alder Ave NW Suite 300", "1600 Alder Ave NW Suite 300"],
  ],
  negatives: [
    "5 people walked down the street",
    "in 2021 Google Drive was",
    "the 3 Rs of the road",
    "Chapter 12 The Way",
    "I paid 20 dollars",
    "431 Request Header Fields Too Large",
    "3270 Terminal Keys",
  ],
};

const surely = new RegExp(
  String.raw`\b(?:${kinds}|Broadway|Box|BOX|Apt|Apartment|Suite|Ste|Flat)\b`,
);
const notStreets =
  /\b(?:(?:Google|Flash|Hard|Disk|Pen|Thumb|Test|Tennis|Supreme|High) (?:Drive|Court)|Header Fields?|Keys)\b/;
