// Static files in the encoding that their reader takes: `name.br` and `name.gz` were written beside them when they were built.
import { existsSync, readdirSync } from "node:fs";
import express, { type RequestHandler } from "express";

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The files of a build: their names change with what is in them, so whoever has one keeps it. */
export const assets = (directory: string): RequestHandler[] => [
  ownPagesOnly,
  compressed(directory),
  express.static(directory, { immutable: true, maxAge: "1y", redirect: false }),
  notThere,
];

const ownPagesOnly: RequestHandler = (_req, res, next) => {
  res.set("cross-origin-resource-policy", "same-origin");
  next();
};

/** What a page of another build asks for: it is no page either, and may be there again soon. */
const notThere: RequestHandler = (_req, res) => {
  res.removeHeader("content-encoding");
  res.status(404).set("cache-control", "no-store").type("text").send("There is no such file in this build.");
};

function compressed(directory: string): RequestHandler {
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
