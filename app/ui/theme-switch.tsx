import { useLocation } from "@remix-run/react";
import { Check, Monitor, Moon, Sun } from "lucide-react";
import { chooseTheme, type Theme, themes, useTheme } from "~/lib/theme";
import { Menu, menuItemLook } from "./menu";

const looks = {
  system: { label: "System", Icon: Monitor },
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
};

/** Light, dark, or as the system has it: three buttons of one form. With scripts it changes in place, and nothing is left. */
export function ThemeSwitch() {
  const theme = useTheme();
  const { pathname, search } = useLocation();
  const { Icon } = looks[theme];
  return (
    <Menu
      label={`Theme: ${looks[theme].label.toLowerCase()}`}
      trigger={<Icon aria-hidden className="size-4" />}
      triggerClassName="flex size-8 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-ink pointer-coarse:size-10"
    >
      <form
        action="/theme"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          const { value } = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement;
          chooseTheme(value as Theme);
        }}
      >
        <input name="redirectTo" type="hidden" value={pathname + search} />
        {themes.map((value) => {
          const { label, Icon } = looks[value];
          return (
            <button
              aria-pressed={value === theme}
              className={menuItemLook}
              key={value}
              name="theme"
              type="submit"
              value={value}
            >
              <Icon aria-hidden />
              <span className="grow">{label}</span>
              {value === theme && <Check aria-hidden />}
            </button>
          );
        })}
      </form>
    </Menu>
  );
}
