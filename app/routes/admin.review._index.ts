// The queue is where operators begin.
import { redirect } from "@remix-run/node";

export const loader = () => redirect("/admin");
