// Choosing a theme: a plain form, so it works without scripts.
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { ownPath } from "~/lib/api.server";
import { typed } from "~/lib/form.server";
import { isTheme, themeCookie } from "~/lib/theme";

export async function action({ request, context }: ActionFunctionArgs) {
  const { theme, redirectTo } = await typed(request, "theme", "redirectTo");
  if (!isTheme(theme)) throw new Response("The theme is one of system, light, dark.", { status: 400 });
  return redirect(ownPath(redirectTo, "/"), {
    headers: { "set-cookie": themeCookie(theme, context.baseUrl.startsWith("https:")) },
  });
}

export const loader = () => redirect("/");
