import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/** Says the title of a page that came without a reload, which screen readers would not notice. */
export function PageAnnouncer() {
  const [title, setTitle] = useState("");
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const last = useRef(pathname);
  useEffect(() => {
    if (state !== "idle" || last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title);
  }, [pathname, state]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
