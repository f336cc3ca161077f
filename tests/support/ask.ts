// A tool called as the pipeline calls it, without a transport; its answer must fit its own outputSchema.
import { expect } from "vitest";
import type { Consumer, Ctx } from "../../server/context";
import { prepare } from "../../server/pipeline";
import type { Tool } from "../../server/tools/tool";
import { fitsOutput } from "./contract";

export async function ask<Answer>(ctx: Ctx<Consumer>, tool: Tool, args: Record<string, unknown>): Promise<Answer> {
  const { text } = await prepare(ctx, tool, args).run();
  const answer = JSON.parse(text);
  const fits = fitsOutput(tool);
  expect(fits(answer), JSON.stringify(fits.errors)).toBe(true);
  return answer;
}

/** The paths of the arguments that a tool refuses. */
export function refused(ctx: Ctx<Consumer>, tool: Tool, args: Record<string, unknown>): string[] {
  try {
    prepare(ctx, tool, args);
    return [];
  } catch (error) {
    return (error as { details: { issues: { path: string }[] } }).details.issues.map((issue) => issue.path);
  }
}
