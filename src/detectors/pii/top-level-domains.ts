/** Country codes of the root zone; every delegated two-letter domain is one. */
const countries =
  "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt " +
  "bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er " +
  "es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht " +
  "hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr " +
  "ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng " +
  "ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd " +
  "se sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv " +
  "tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";

/** The generic ones that carry most mail, and those reserved for examples (RFC 2606). */
const generic =
  "com org net edu gov mil int biz info name pro aero coop museum jobs mobi travel tel cat asia post " +
  "xyz online site store shop tech app dev cloud email live life world today news blog art design " +
  "agency company group team work works studio media digital network systems solutions services " +
  "support center consulting health care clinic dental hospital school academy university bank " +
  "finance insurance legal law club community social space website web host page link click top vip " +
  "global international international one zone academy ventures capital money fund tax marketing " +
  "software engineering technology energy solar farm garden house homes estate properties fashion " +
  "style fit gym yoga coffee restaurant pizza wine bar pub hotel tours flights taxi car cars bike " +
  "games game fun band audio film photo photos gallery wiki london berlin paris nyc tokyo amsterdam " +
  "wien koeln hamburg bayern madrid barcelona moscow swiss scot wales africa arpa example test " +
  "invalid localhost local";

/** Top-level domains in lower case: those of all countries, and the most used generic ones. */
export const topLevelDomains: readonly string[] = `${countries} ${generic}`.split(" ");

const known: ReadonlySet<string> = new Set(topLevelDomains);

/** Endings of file names, not of hosts: `image@2x.png`, `node.js`. */
const fileExtensions: ReadonlySet<string> = new Set(
  (
    "png jpg jpeg gif svg webp bmp ico tif tiff avif heic mp3 mp4 mkv avi pdf doc docx xls xlsx ppt " +
    "pptx csv tsv txt log json yaml yml toml xml html htm css scss less js mjs cjs jsx ts tsx vue " +
    "java jar class kt swift go rb php lua sql db sqlite bak tmp lock map min exe dll bin iso tar gz " +
    "tgz bz2 rar conf cfg ini env pem key crt cer"
  ).split(" "),
);

/** Whether a host's last label is a known, a possible or no top-level domain. */
export function topLevelDomain(host: string): "known" | "possible" | "none" {
  const last = host.slice(host.lastIndexOf(".") + 1).toLowerCase();
  if (known.has(last) || last.startsWith("xn--")) return "known";
  const shaped = /^[a-z]{3,18}$|^[^\p{ASCII}]{2,18}$/u.test(last);
  return shaped && !fileExtensions.has(last) ? "possible" : "none";
}
