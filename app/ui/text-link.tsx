import { Link, type LinkProps } from "@remix-run/react";
import { cx } from "./cx";

/** A link in running text. */
export function TextLink({ children, className, ...rest }: LinkProps) {
  return (
    <Link
      {...rest}
      className={cx("rounded text-accent underline decoration-1 underline-offset-4 hover:decoration-2", className)}
    >
      {children}
    </Link>
  );
}
