// HTML as a browser reads it, and whether anything in it came to life out of somebody's text.
import { Script } from "node:vm";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";

/**
 * What a stranger would write, short enough for every field. An element, an attribute, a script, a comment, a style or a CDATA section made of it has
 * the name `x-alive` or holds `alive()`; as an address it is no http. `name` tells one text from another.
 */
export const hostile = (name: string, scheme = "javascript:") =>
  `${scheme}alive()//"'></title></script><x-alive onx=alive()>]]>--><!--@${name};`;

/** The same in the Markdown that terms are written in. */
export const hostileMarkdown = (name: string) =>
  `# <x-alive>\n\n[${name};](javascript:alive())\n\n- **<x-alive>** [x](data:text/html,<x-alive>) ![x](javascript:alive())\n\n${hostile(name)}`;

export interface Reading {
  /** What is wrong, in words. */
  faults: string[];
  /** The names of hostile texts that are there to be read, as text or as an attribute's value. */
  shown: Set<string>;
  /** Addresses that it links to. */
  links: string[];
  scripts: number;
}

const addresses = new Set(["href", "src", "action", "formaction", "poster", "data", "srcset", "background", "cite"]);
/** Schemes that our own links have, by attribute: an agent's app opens `cursor:` and `vscode:` (app/lib/snippets.ts). */
const schemes: Record<string, RegExp> = { href: /^(https?|cursor|vscode):$/, src: /^(https?|data):$/ };

/** The SUPPORT_EMAIL of servers whose pages are read here. */
export const SUPPORT_EMAIL = "help@aisle.example";
/** Is a `mailto:` to support, and to nobody besides? */
const isToSupport = ({ pathname, searchParams }: URL) =>
  pathname === SUPPORT_EMAIL && [...searchParams.keys()].every((name) => name === "subject" || name === "body");

/** @param nonce of the Content-Security-Policy that came with it; null for a mail, which has no scripts at all */
export function readHtml(html: string, base: string, nonce: string | null): Reading {
  const reading: Reading = { faults: [], shown: new Set(), links: [], scripts: 0 };
  const fault = (what: string) => void reading.faults.push(what.slice(0, 300));
  const note = (text: string) => {
    for (const [, name] of text.matchAll(/--><!--@([\w.]+);/g)) reading.shown.add(name!);
  };
  const visit = (node: Tree.ChildNode): void => {
    if (node.nodeName === "#text") note((node as Tree.TextNode).value);
    if (node.nodeName === "#comment" && /alive/.test((node as Tree.CommentNode).data)) fault("a comment of data");
    if (!("tagName" in node)) return;
    if (node.tagName === "x-alive") fault("an element of data");
    for (const { name, value } of node.attrs) attribute(node.tagName, name, value);
    if (node.tagName === "style" && /alive/.test(textOf(node))) fault("a style of data");
    const inner = node.tagName === "template" ? (node as Tree.Template).content : node;
    // The text of a script is nothing to be read: it is looked at by itself.
    if (node.tagName === "script") script(node);
    else inner.childNodes.forEach(visit);
  };
  const attribute = (tag: string, name: string, value: string) => {
    if (/^on|alive|[^\w:-]/.test(name)) fault(`<${tag}> has the attribute ${name}`);
    if (name === "style" && /alive/.test(value)) fault(`<${tag}> has a style of data`);
    if (name === "srcdoc") fault(`<${tag}> has a srcdoc`);
    note(value);
    if (!addresses.has(name)) return;
    const url = URL.canParse(value, base) ? new URL(value, base) : undefined;
    if (!url) return;
    if (url.protocol === "mailto:" && name === "href" && isToSupport(url)) return;
    if (!(schemes[name] ?? /^https?:$/).test(url.protocol)) fault(`<${tag} ${name}> leads to ${url.protocol} ${value}`);
    if (name === "href" && tag === "a") reading.links.push(url.href);
  };
  const script = (node: Tree.Element) => {
    reading.scripts += 1;
    const given = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
    if (nonce === null || given.nonce !== nonce) fault(`a script without the nonce: ${textOf(node)}`);
    // A module of Remix's own; what data is in a page stands in the others.
    if (given.type === "module" || given.src) return;
    try {
      new Script(textOf(node));
    } catch (error) {
      fault(`a script that is broken: ${error}`);
    }
  };
  parse(html).childNodes.forEach(visit);
  return reading;
}

const textOf = (node: Tree.Element): string =>
  node.childNodes.map((child) => (child.nodeName === "#text" ? (child as Tree.TextNode).value : "")).join("");
