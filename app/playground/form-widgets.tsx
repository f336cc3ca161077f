// The form's controls: an argument that is left alone is left out of the call, so every one of them can be emptied.
import type { BaseInputTemplateProps, WidgetProps } from "@rjsf/utils";
import { ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { boxLook } from "~/ui/checkbox-field";
import { cx } from "~/ui/cx";
import { controlLook } from "~/ui/field";

const described = ({ id, rawErrors }: WidgetProps) => ({
  "aria-describedby": `${id}__error ${id}__hint`,
  "aria-invalid": rawErrors && rawErrors.length > 0 ? (true as const) : undefined,
});
const hintOf = ({ schema, placeholder }: WidgetProps) =>
  placeholder || (Array.isArray(schema.examples) ? String(schema.examples[0]) : undefined);

/** One line of text, or a number. */
export function BaseInput(props: BaseInputTemplateProps) {
  const { id, value, schema, onChange, options, label } = props;
  const isNumber = schema.type === "number" || schema.type === "integer";
  return (
    <input
      {...described(props)}
      aria-label={/_\d+$/.test(id) ? label : undefined}
      autoComplete="off"
      className={cx(controlLook, "h-9 pointer-coarse:h-11")}
      id={id}
      inputMode={isNumber ? "decimal" : undefined}
      onChange={({ target }) => onChange(target.value === "" ? options.emptyValue : target.value)}
      placeholder={hintOf(props)}
      spellCheck={false}
      type="text"
      value={value ?? ""}
    />
  );
}

/** One of the schema's values. */
function SelectWidget(props: WidgetProps) {
  const { schema, value, onChange } = props;
  return (
    <Choice {...props} onPick={(picked) => onChange(picked || undefined)} value={value ?? ""}>
      {(schema.enum as string[] | undefined)?.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </Choice>
  );
}

/** True, false, or not said: a box could not tell the last two apart. */
function TruthWidget(props: WidgetProps) {
  const { value, onChange } = props;
  return (
    <Choice
      {...props}
      onPick={(picked) => onChange(picked === "" ? undefined : picked === "true")}
      value={value === undefined ? "" : String(value)}
    >
      <option value="true">true</option>
      <option value="false">false</option>
    </Choice>
  );
}

function Choice({
  onPick,
  children,
  ...props
}: WidgetProps & { onPick: (value: string) => void; children?: ReactNode }) {
  const hint = hintOf(props);
  return (
    <div className="relative">
      <select
        {...described(props)}
        className={cx(controlLook, "h-9 appearance-none pr-9 pointer-coarse:h-11")}
        id={props.id}
        onChange={({ target }) => onPick(target.value)}
        value={props.value}
      >
        <option value="">{hint ? `Not set (${hint})` : "Not set"}</option>
        {children}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-3.5 text-faint"
      />
    </div>
  );
}

/** Any of the schema's values, in its order. */
function ChoicesWidget(props: WidgetProps) {
  const { id, value, onChange, options, label } = props;
  const all = (options.enumOptions ?? []).map((option) => String(option.value));
  const chosen = new Set<string>(Array.isArray(value) ? value : []);
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2" id={id}>
      {all.map((one) => (
        <label className="flex items-center gap-2 font-mono text-[0.8125rem]" key={one}>
          <input
            checked={chosen.has(one)}
            className={cx(boxLook, "mt-0")}
            onChange={({ target }) =>
              onChange(all.filter((each) => (each === one ? target.checked : chosen.has(each))))
            }
            type="checkbox"
          />
          {one}
        </label>
      ))}
    </fieldset>
  );
}

export const widgets = { SelectWidget, CheckboxWidget: TruthWidget, CheckboxesWidget: ChoicesWidget };
