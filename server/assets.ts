// Static files in an encoding that the client takes: the build wrote `name.br` and `name.gz` beside them.
import { existsSync, readdirSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { basename, dirname } from "node:path";
import express, { type RequestHandler, type Response } from "express";

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** The files of a build: their names change with their contents, so whoever has one may keep it. */
export const assets = (directory: string): RequestHandler[] => [
  ownPagesOnly,
  compressed(directory),
  express.static(directory, { immutable: true, maxAge: "1y", redirect: false }),
  notThere,
];

/** What keeps its name. Directories list us with our icons (server/directory-pack/), which the pages of others then show. */
export const files = (directory: string): RequestHandler =>
  express.static(directory, {
    maxAge: "1h",
    index: false,
    redirect: false,
    setHeaders(res, path) {
      if (basename(dirname(path)) === "icons") res.setHeader("cross-origin-resource-policy", "cross-origin");
    },
  });

const ownPagesOnly: RequestHandler = (_req, res, next) => {
  res.set("cross-origin-resource-policy", "same-origin");
  next();
};

/** For a page of another build: what it asks for may be here again soon, so nobody caches that it is not. */
const notThere: RequestHandler = (_req, res) => {
  res.removeHeader("content-encoding");
  res.status(404).set("cache-control", "no-store").type("text").send("There is no such file in this build.");
};

interface Unfit {
  status?: number;
  headers?: Record<string, string>;
}

/**
 * Answers what a request asks of a file and cannot have, such as a range behind its end, without what was set for the file.
 * @returns whether `error` is that
 */
export function cannotBeHad(error: Unfit, res: Response): boolean {
  const { status = 500, headers = {} } = error;
  if (status < 400 || status > 499 || res.headersSent) return false;
  for (const name of ["content-encoding", "etag", "last-modified"]) res.removeHeader(name);
  res
    .status(status)
    .set({ ...headers, "cache-control": "no-store" })
    .type("text")
    .end(STATUS_CODES[status]);
  return true;
}

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
