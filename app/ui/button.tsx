import { Link, type LinkProps, useLocation } from "@remix-run/react";
import { type ButtonHTMLAttributes, type ReactNode, useRef } from "react";
import { keepFocus, placesAround, useEarlyEffect } from "~/lib/keep-focus";
import { cx } from "./cx";
import { Spinner } from "./spinner";

interface Look {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "lg" | "md" | "sm";
  /** A lucide icon before the words. */
  icon?: ReactNode;
}

const variants = {
  primary: "bg-accent-fill text-accent-ink shadow-card hover:bg-accent-fill-hover",
  secondary: "bg-control text-ink shadow-card ring-1 ring-line ring-inset hover:bg-control-hover",
  ghost: "text-muted hover:bg-raised hover:text-ink",
  danger: "bg-danger-fill text-accent-ink shadow-card hover:bg-danger-fill-hover",
};
const sizes = {
  lg: "h-11 px-5 text-[0.9375rem] [&_svg]:size-4",
  md: "h-9 px-3.5 text-sm [&_svg]:size-4 pointer-coarse:h-10",
  sm: "h-7 px-2.5 text-[0.8125rem] [&_svg]:size-3.5 pointer-coarse:h-10",
};

/** The classes of a button, for what looks like one and is none. */
export const buttonLook = ({ variant = "secondary", size = "md" }: Look) =>
  cx(
    "relative inline-flex print:hidden shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium transition-colors duration-100",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress",
    variants[variant],
    sizes[size],
  );

/**
 * A button. While `pending` it keeps its width and focus, shows a spinner and cannot be pressed again. `held` is for what
 * cannot be pressed for a while, and may have the focus when that begins: `disabled` would take it away.
 */
export function Button({
  variant,
  size,
  icon,
  pending = false,
  held = false,
  type = "button",
  className,
  children,
  onClick,
  ...rest
}: Look & ButtonHTMLAttributes<HTMLButtonElement> & { pending?: boolean; held?: boolean }) {
  const waits = pending || held;
  return (
    <button
      {...rest}
      aria-disabled={waits || undefined}
      className={cx(buttonLook({ variant, size }), held && "opacity-50", className)}
      onClick={waits ? (event) => event.preventDefault() : onClick}
      type={type}
    >
      <span className={cx("inline-flex items-center gap-2", pending && "opacity-0")}>
        {icon}
        {children}
      </span>
      {pending && <Spinner className="absolute" />}
    </button>
  );
}

/**
 * A link that looks like a button. Where following it removes it from its page, the focus goes to what stood around it. One to
 * a place on its page (`#…`) leaves the rest of the address as it is: nothing is loaded.
 */
export function ButtonLink({ variant, size, icon, className, children, to, ...rest }: Look & LinkProps) {
  const { pathname, search } = useLocation();
  const place = typeof to === "string" && to.startsWith("#") ? { search, hash: to } : to;
  const ref = useRef<HTMLAnchorElement>(null);
  useEarlyEffect(() => {
    const link = ref.current;
    return () => {
      if (link === document.activeElement && window.location.pathname === pathname) keepFocus(placesAround(link));
    };
  }, [pathname]);
  return (
    <Link {...rest} className={cx(buttonLook({ variant, size }), className)} ref={ref} to={place}>
      {icon}
      {children}
    </Link>
  );
}
