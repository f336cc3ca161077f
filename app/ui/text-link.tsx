import { Link, type LinkProps } from "@remix-run/react";

/** A link in running text. */
export function TextLink({ children, ...rest }: LinkProps) {
  return (
    <Link {...rest} className="rounded text-accent underline decoration-1 underline-offset-4 hover:decoration-2">
      {children}
    </Link>
  );
}
