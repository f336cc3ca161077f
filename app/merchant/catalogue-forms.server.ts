// The forms of a catalogue's page, from what was posted to what the page shows of it.
import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { act } from "~/lib/api.server";
import { formOf, noIntent } from "~/lib/form.server";
import { takeFile } from "~/lib/upload.server";
import { catalogueOf } from "./catalogue";
import { doneAt } from "./notes";

type About = "upload" | "source" | "dialog";

/** Of the form of a feed's address. */
export interface KeptSource {
  url: string;
  shown: string;
}

/** A refusal, which form it is about, and what was typed there. */
function refused(outcome: Exclude<Awaited<ReturnType<typeof act>>, { done: true }>, about: About, kept?: KeptSource) {
  return data({ errors: outcome.errors, about, kept }, outcome.response.init ?? undefined);
}

export async function upload(args: ActionFunctionArgs, storeId: string) {
  const outcome = await takeFile(
    args,
    (api) => api.catalogue.get({ storeId }),
    (api, { name, content }) => api.catalogue.upload({ storeId, fileName: name, content }),
  );
  if (outcome.done) return redirect(catalogueOf(storeId));
  const { errors } = outcome;
  const { fields } = errors;
  const problem =
    fields.content ?? (fields.fileName && "Rename the file: its name is too long, or has invisible characters.");
  return refused({ ...outcome, errors: { ...errors, fields: problem ? { file: problem } : fields } }, "upload");
}

const intents = ["restore", "set-source", "fetch-now", "remove-source"] as const;

export async function change(args: ActionFunctionArgs, storeId: string) {
  const form = await formOf(args.request);
  const [said, loadId, url] = ["intent", "loadId", "url"].map((name) => String(form.get(name) ?? "")) as [
    string,
    string,
    string,
  ];
  const shown = form.has("shown") ? { shown: String(form.get("shown")) } : {};
  const intent = intents.find((one) => one === said);
  if (!intent) throw noIntent();
  const outcome = await act<unknown>(args, ({ catalogue }) => {
    if (intent === "restore") return catalogue.restore({ storeId, loadId, ...shown });
    if (intent === "set-source") return catalogue.setSource({ storeId, url, ...shown });
    return intent === "fetch-now" ? catalogue.fetchNow({ storeId }) : catalogue.removeSource({ storeId, ...shown });
  });
  if (outcome.done)
    return redirect(intent === "remove-source" ? doneAt(args.request, "source-removed") : catalogueOf(storeId));
  if (intent === "set-source") return refused(outcome, "source", { url, shown: "", ...shown });
  return refused(outcome, intent === "fetch-now" ? "source" : "dialog");
}
