// Where a session ends, what this browser kept for the person goes too (the Playground's history and drafts).
import { redirect } from "@remix-run/node";

/** Leads to `path`, and has the browser empty its storage. */
export const leave = (path: string): Response => redirect(path, { headers: { "clear-site-data": '"storage"' } });
