import { FaultyLink, type Link } from "../support/faulty-link.ts";
import { NamespaceLink } from "../support/namespace-link.ts";
import type { Reach } from "../support/postgres-server.ts";

/** Where a gateway lives. */
export interface Place {
  /** The address at which it listens. Nothing ever happens to the way there. */
  readonly host: string;
  /** What starts its program. */
  readonly launcher: readonly string[];
  /** Its network to PostgreSQL. */
  readonly link: Link;
}

/** What is between gateways, PostgreSQL, a provider and clients. */
export interface Network {
  /** How gateways are cut off. */
  readonly told: string;
  readonly providerHost: string;
  readonly reach: Reach;
  /** Call it when PostgreSQL runs. */
  readonly places: (serverPort: number) => Promise<readonly Place[]>;
}

const local = "127.0.0.1";

/** A namespace for each gateway; a proxy before PostgreSQL if `namespaces` is false, or they can't be made. */
export async function networkOf(gateways: number, namespaces: boolean): Promise<Network> {
  const links = namespaces ? await NamespaceLink.make(gateways) : "they are not wanted";
  if (typeof links === "string") return proxies(gateways, links);
  return {
    told: "each gateway is in a network namespace",
    providerHost: links[0]?.sound.outside ?? local,
    reach: {
      hosts: links.map(({ faulty }) => faulty.outside),
      clients: links.map(({ faulty }) => faulty.inside),
    },
    places: () =>
      Promise.resolve(
        links.map((link) => ({ host: link.sound.inside, launcher: link.launcher, link })),
      ),
  };
}

function proxies(gateways: number, why: string): Network {
  return {
    told: `gateways reach PostgreSQL over a TCP proxy; no network namespaces: ${why}`,
    providerHost: local,
    reach: { hosts: [], clients: [] },
    places: (serverPort) => {
      const place = async (): Promise<Place> => {
        return { host: local, launcher: [], link: await FaultyLink.start(serverPort) };
      };
      return Promise.all(Array.from({ length: gateways }, place));
    },
  };
}
