import { streamPages } from "../../../src/endpoints/csv.ts";
import { ByteBudget } from "../../../src/proxy/listener/byte-budget.ts";
import { Listener } from "../../../src/proxy/listener/server.ts";

/*
 * A program for small-send-buffer.test.ts: a listener at the address that it is given, whose answer is pages. It prints its port.
 */

const [, , host = "", count, characters] = process.argv;

const listener = new Listener({
  ...{ host, port: 0, bodyBytesMax: 1024, budget: new ByteBudget(1024), failed: console.error },
  routes: {
    table: {
      "/": {
        GET: (exchange) => {
          let made = 0;
          const page = (): string | null => {
            made += 1;
            return made > Number(count) ? null : `${made}`.padEnd(Number(characters));
          };
          return streamPages(exchange, [], page);
        },
      },
    },
    ownKeys: null,
  },
});
console.log(await listener.listen());
