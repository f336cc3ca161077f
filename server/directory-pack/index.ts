// What assistants' directories ask for of a directory endpoint, as one zip: descriptors, icons, tools and test prompts, made
// from the tools themselves, so that it says what the endpoint says.
import { readFile } from "node:fs/promises";
import { strToU8, zipSync } from "fflate";
import type { Core } from "../context";
import type { DirectoryEntry } from "../services/consumers";
import { tools } from "../tools";
import { descriptor } from "../tools/descriptor";
import { manifest, readme, serverJson, submission, testPrompts } from "./documents";

interface DirectoryPack {
  fileName: string;
  /** A zip. */
  base64: string;
}

const ICONS = ["aisle.svg", "aisle-64.png", "aisle-128.png", "aisle-512.png"];
const iconFile = (name: string) => new URL(`../../public/icons/${name}`, import.meta.url);

/** The pack of an endpoint that answers, with the tools that its scopes allow. */
export async function directoryPack({ baseUrl }: Pick<Core, "baseUrl">, entry: DirectoryEntry): Promise<DirectoryPack> {
  const allowed = tools.filter((tool) => entry.scopes.includes(tool.scope));
  const listing = { entry, baseUrl, tools: allowed };
  const icons = await Promise.all(
    ICONS.map(async (name) => [`icons/${name}`, await readFile(iconFile(name))] as const),
  );
  const descriptors = allowed.map((tool) => JSON.parse(descriptor(tool, true)));
  const files = {
    "README.md": strToU8(readme(listing)),
    "server.json": json(serverJson(listing)),
    "manifest.json": json(manifest(listing)),
    "chatgpt-app-submission.json": json(submission(listing)),
    "tools.json": json({ tools: descriptors }),
    "test-prompts.json": json(testPrompts(listing)),
    ...Object.fromEntries(icons.map(([name, bytes]) => [name, new Uint8Array(bytes)])),
  };
  const zip = zipSync(files, { level: 9 });
  return { fileName: `${entry.slug}-directory-pack.zip`, base64: Buffer.from(zip).toString("base64") };
}

const json = (value: unknown) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
