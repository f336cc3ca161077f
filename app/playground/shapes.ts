// What of the tools' answers the view knows by name. Everything is checked or optional: an answer is data, not a promise.
import { isObject } from "~/lib/is-object";

export interface Money {
  formatted: string;
}
export interface Product {
  product_id: string;
  store_id: string;
  store_name?: string;
  title: string;
  brand?: string;
  description?: string;
  price?: Money;
  sale_price?: Money;
  price_range?: { min: Money; max: Money };
  availability?: { status: string };
  image_link?: string;
  product_url?: string;
  rating?: { value: number; scale_max: number; count?: number };
  variants?: Record<string, unknown>[];
}
export interface Note {
  type: string;
  code: string;
  content: string;
}

export const isProduct = (value: unknown): value is Product & Record<string, unknown> =>
  isObject(value) && typeof value.product_id === "string" && typeof value.title === "string";

export const isRecords = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** A value in a cell: money as it is written, lists by commas, times from and to, stock by its place, the rest as JSON. */
export function inCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isObject(value)) {
    if (typeof value.formatted === "string") return value.formatted;
    if (typeof value.status === "string") return value.status.replaceAll("_", " ");
    if (isObject(value.price)) return inCell(value.price);
    if (typeof (value.start ?? value.end) === "string") return `${value.start ?? ""} – ${value.end ?? ""}`.trim();
    const said = value.label ?? value.value ?? value.values ?? value.quantity;
    if (typeof value.name === "string" && said !== undefined) return `${value.name}: ${inCell(said)}`;
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return value.map(inCell).join(", ");
  return String(value);
}
