// Choosing a theme: a plain form, so it works without scripts; those name no page to lead back to, and stay where they are.
import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { ownPath } from "~/lib/api.server";
import { typed } from "~/lib/form.server";
import { isTheme, themeCookie } from "~/lib/theme";

export async function action({ request, context }: ActionFunctionArgs) {
  const { theme, redirectTo } = await typed(request, "theme", "redirectTo");
  if (!isTheme(theme)) throw new Response("The theme is one of system, light, dark.", { status: 400 });
  const headers = { "set-cookie": themeCookie(theme, context.baseUrl.startsWith("https:")) };
  return redirectTo === ""
    ? new Response(null, { status: 204, headers })
    : redirect(ownPath(redirectTo, "/"), { headers });
}

export const loader = () => redirect("/");
