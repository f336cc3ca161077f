// What operators set for everybody, for whoever documents it.
import { settings } from "../../db/schema/consumers";
import type { Ctx } from "../context";

export interface Defaults {
  sandboxScopes: string[];
  sandboxRateLimit: number;
  sandboxMaxKeys: number;
  playgroundRateLimit: number;
}

/** What a platform gets when it is let into the sandbox. */
export async function sandbox({ db }: Pick<Ctx, "db">): Promise<Defaults> {
  const [row] = await db.select().from(settings);
  const { sandboxScopes, sandboxRateLimit, sandboxMaxKeys, playgroundRateLimit } = row!;
  return { sandboxScopes, sandboxRateLimit, sandboxMaxKeys, playgroundRateLimit };
}
