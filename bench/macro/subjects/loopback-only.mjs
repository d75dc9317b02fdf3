// Loaded before a peer that has no option for its address and would listen on all addresses.
import { Server } from "node:net";

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this`
const listen = Server.prototype.listen;

/** @param {readonly unknown[]} args */
Server.prototype.listen = function (...args) {
  const [port, ...rest] = args;
  if (typeof port !== "number") return Reflect.apply(listen, this, args);
  const callbacks = rest.filter((each) => typeof each === "function");
  return Reflect.apply(listen, this, [port, "127.0.0.1", ...callbacks]);
};
