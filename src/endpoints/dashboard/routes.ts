import { header, type Exchange } from "../../exchange/exchange.ts";
import type { RouteTable } from "../../pipeline/routes.ts";
import type { Asset } from "./assets.ts";

/** The addresses of pages. Each is answered with the same document, whose script shows the page. */
export const dashboardPages = [
  "/",
  "/sign-in",
  "/messages",
  "/messages/:id",
  "/security",
  "/usage",
  "/keys",
  "/limits",
  "/policies",
  "/providers",
  "/orgs",
  "/billing",
  "/audit",
  "/exports",
  "/settings",
  "/try",
] as const;

/**
 * Nothing but our own files runs, and no text becomes markup. A page of another origin can neither frame a page
 * of ours nor read its files.
 */
const protection = [
  "Content-Security-Policy",
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  "X-Content-Type-Options",
  "nosniff",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
];

/** The dashboard's files on the keys API's listener. Empty if the dashboard was not built. */
export function dashboardRoutes(assets: ReadonlyMap<string, Asset>): RouteTable {
  const document = assets.get("/index.html");
  if (document === undefined) return {};
  const files = [...assets].filter(([place]) => place !== "/index.html");
  return {
    ...Object.fromEntries(
      files.map(([place, asset]) => [place, { GET: serving(asset, cachingOf(place)) }]),
    ),
    ...Object.fromEntries(
      dashboardPages.map((page) => [page, { GET: serving(document, "no-store") }]),
    ),
  };
}

/** The name of a file in /assets/ has its hash in it. */
function cachingOf(place: string): string {
  return place.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "max-age=3600";
}

function serving({ type, plain, brotli }: Asset, caching: string) {
  const headers = ["Content-Type", type, "Cache-Control", caching, ...protection];
  const varying = [...headers, "Vary", "Accept-Encoding"];
  const packed = [...varying, "Content-Encoding", "br"];
  return (exchange: Exchange): void => {
    const accepted = header(exchange.head.headers, "accept-encoding") ?? "";
    const isPacked = brotli !== null && /(^|[\s,])br($|[\s,;])/.test(accepted);
    exchange.respond(
      isPacked
        ? { status: 200, headers: packed, body: brotli }
        : { status: 200, headers: varying, body: plain },
    );
  };
}
