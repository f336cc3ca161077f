// Choosing a theme: a plain form, so it works without scripts.
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { ownPath } from "~/lib/api.server";
import { isTheme, themeCookie } from "~/lib/theme";

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const theme = form.get("theme");
  if (!isTheme(theme)) throw new Response("The theme is one of system, light, dark.", { status: 400 });
  return redirect(ownPath(String(form.get("redirectTo")), "/"), {
    headers: { "set-cookie": themeCookie(theme, new URL(request.url).protocol === "https:") },
  });
}

export const loader = () => redirect("/");
