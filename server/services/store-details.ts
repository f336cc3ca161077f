// What a store tells shoppers of itself beside its profile, as it is stored: the one place for how much of it there may be.
import { z } from "zod";
import { isCountry } from "./countries";
import { HttpUrl } from "./fields";
import { isCurrency } from "./money";
import { OpeningHours } from "./opening-hours";

/** Characters of a text, and entries of a list. */
export const most = {
  addressLine: 200,
  postalCode: 50,
  payment: 100,
  payments: 50,
  currencies: 50,
  shippingPolicy: 20_000,
  returnDays: 3650,
  returnText: 500,
  linkType: 50,
  links: 50,
} as const;

const line = z.string().max(most.addressLine).optional();

/** As `get_store_info` tells them, by its names. */
export const details = {
  currencies: z.array(z.string().refine(isCurrency)).max(most.currencies).optional(),
  address: z
    .strictObject({
      street_address: line,
      address_locality: line,
      address_region: line,
      postal_code: z.string().max(most.postalCode).optional(),
      address_country: z.string().refine(isCountry, "must be an ISO 3166-1 alpha-2 code such as DE").optional(),
    })
    .optional(),
  opening_hours: OpeningHours.optional(),
  payment_accepted: z.array(z.string().max(most.payment)).max(most.payments).optional(),
  shipping_policy: z.string().max(most.shippingPolicy).optional(),
  return_policy: z
    .strictObject({
      return_window_days: z.int().min(0).max(most.returnDays).optional(),
      fees: z.string().max(most.returnText).optional(),
      method: z.string().max(most.returnText).optional(),
      url: HttpUrl.optional(),
    })
    .optional(),
  links: z
    .array(z.strictObject({ type: z.string().max(most.linkType), url: HttpUrl }))
    .max(most.links)
    .optional(),
};
