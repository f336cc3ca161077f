// Static files in the encoding that their reader takes: `name.br` and `name.gz` were written beside them when they were built.
import { existsSync, readdirSync } from "node:fs";
import type { RequestHandler } from "express";

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** To stand in front of `express.static(directory)`. */
export function compressed(directory: string): RequestHandler {
  const files = new Set(existsSync(directory) ? readdirSync(directory) : []);
  return (req, res, next) => {
    const name = req.path.slice(1);
    const there = encodings.filter(([, ending]) => files.has(name + ending));
    if (there.length === 0) return next();
    res.vary("Accept-Encoding");
    // Without a preference between the two, the smaller one.
    const accepted = there.find(([encoding]) => req.acceptsEncodings(encoding) === encoding);
    if (accepted) {
      const [encoding, ending] = accepted;
      res.type(name).set("content-encoding", encoding);
      req.url = req.url.replace(name, name + ending);
    }
    next();
  };
}
