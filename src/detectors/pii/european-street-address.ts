import type { EntityDetector } from "../entity.ts";
import { latinCapitals, latinLetters } from "./latin-letters.ts";

const name = `[${latinCapitals}](?:[${latinLetters}'’.-]*[${latinLetters}])?`;
const small = "(?:de|del|de la|de los|di|da|do|dos|du|des|la|le|les|della|van|van der|von|of|y|e)";
const words = String.raw`(?:(?:${small} |d'|l'|dell')?${name}(?: (?:${small} )?${name}){0,3})`;
const number = String.raw`\d{1,4}(?:[ -]?[a-zA-Z]\b|/\d{1,4})?`;

/** The kind of street as the end of its name: Lindenstraße, Kirkegata, Mannerheimintie. */
const endings =
  "(?:stra(?:ß|ss)e|str[.]|gasse|weg|platz|allee|damm|ufer|ring|steig|chaussee|straat|laan|plein|" +
  "gracht|kade|dijk|singel|steeg|gatan|vägen|gränd|stigen|torget|gade|vej|vejen|stræde|veien|vei|" +
  "gata|gaten|katu|tie|kuja|polku|kaari|utca)";

const kindBefore =
  "(?:Calle|C/|Avenida|Avda[.]?|Av[.]|Paseo|Plaza|Pza[.]|Carrera|Camino|Ronda|Rua|R[.]|Travessa|" +
  "Praça|Largo|Via|Viale|Piazza|Corso|Vicolo|Strada|ul[.]|ulica|Ulica|al[.]|Aleja|aleje|" +
  "Straße des|Platz der|Platz des|An der|Auf der|Unter den|Rue|Avenue|Boulevard)";

const kindAfterNumber =
  "(?:rue|avenue|av[.]|boulevard|bd|place|chemin|allée|impasse|quai|cours|route|square|passage|" +
  "Rue|Avenue|Boulevard|Place|Chemin|Allée|Impasse|Quai|Cours|Route)";

export const europeanStreetAddress: EntityDetector = {
  id: "european-street-address",
  entityType: "STREET_ADDRESS",
  label: "ADDRESS",
  category: "pii",
  description: "A street and house number as European languages write them.",
  keywords: [],
  pattern:
    String.raw`\b(?:${name}[ -])?[${latinCapitals}][${latinLetters}-]*${endings} ${number}\b|` +
    String.raw`\b[${latinCapitals}][${latinLetters}-]+[ -](?:Straße|Strasse|Str[.]|Weg|Platz|Allee|Damm|Ring|Ufer) ${number}\b|` +
    String.raw`\b${kindBefore} ${words},?(?: n[.º°]{1,2})? ${number}\b|` +
    String.raw`\b${number}(?: bis| ter)?,? ${kindAfterNumber} ${words}`,
  score: 0.65,
  positives: [
    ["wohnt in der Lindenstraße 14b, Köln", "Lindenstraße 14b"],
    ["Kurt-Beispiel-Allee 7", "Kurt-Beispiel-Allee 7"],
    ["domicilio: Calle de Alcornoque 22, Madrid", "Calle de Alcornoque 22"],
    ["Via Garofano, 9", "Via Garofano, 9"],
    ["au 12 bis rue des Tilleuls Verts.", "12 bis rue des Tilleuls Verts"],
    ["Tulpengracht 101, Utrecht", "Tulpengracht 101"],
    ["Björkgatan 5", "Björkgatan 5"],
    ["ul. Brzozowa 33", "ul. Brzozowa 33"],
  ],
  negatives: [
    "der Weg 5 war lang",
    "via email 5 times",
    "En route 66 fans",
    "Im Jahr 2021",
    "Am Montag 5",
    "Norway 12",
  ],
};
