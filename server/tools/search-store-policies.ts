import { z } from "zod";
import * as policies from "../services/policies";
import { present } from "./present";
import { Limit, Message, StoreId } from "./shapes";
import { DEMO_STORE, defineTool } from "./tool";

export const searchStorePolicies = defineTool({
  name: "search_store_policies",
  title: "Search store policies",
  description:
    "Answers a shopper's question about a store's delivery, returns, payment, warranty, privacy or services from its own policies and FAQ, best answer first; empty if they do not cover it. Unlike search_products, it takes the shopper's own words in English, German, French, Spanish, Portuguese, Italian, Dutch or Arabic, whatever language the store uses. Quote the answer rather than adding to it. For address, opening hours and contact use get_store_info.",
  scope: "catalog:read",
  input: z.strictObject({
    store_id: StoreId,
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .describe("The question or its keywords, such as 'how long do I have to send things back?'."),
    limit: Limit(10, 3),
  }),
  output: z.object({
    answers: z.array(
      z.object({
        question: z.string(),
        answer: z.string(),
        policy_type: z.enum(policies.policyTypes),
        source_url: z.string().optional().describe("The store's page that says so."),
        updated_at: z.iso.datetime().describe("When the store last changed it."),
      }),
    ),
    messages: z.array(Message).optional(),
  }),
  example: { store_id: DEMO_STORE, query: "how long do I have to send things back?" },
  prompt: "How long do I have to send something back to Tarn & Timber?",
  storeOf: (input) => input.store_id,
  async handler(ctx, { store_id, query, limit }) {
    const { policies: found, messages } = await policies.search(ctx, { storeId: store_id, query, limit });
    return {
      answers: found.map(({ question, answer, policy_type, source_url, updated_at }) => ({
        question,
        answer,
        policy_type,
        ...present({ source_url }),
        updated_at: updated_at.toISOString(),
      })),
      ...(messages.length > 0 && { messages }),
    };
  },
});
