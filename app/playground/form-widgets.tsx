// The form's controls: an argument that is left alone is left out of the call, so every one of them can be emptied.
import type { BaseInputTemplateProps, WidgetProps } from "@rjsf/utils";
import { boxLook } from "~/ui/checkbox-field";
import { cx } from "~/ui/cx";
import { controlLook } from "~/ui/field";
import { SelectBox } from "~/ui/select-box";

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
    <Choice
      {...props}
      onPick={(picked) => onChange(picked || undefined)}
      value={value ?? ""}
      values={(schema.enum as string[] | undefined) ?? []}
    />
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
      values={["true", "false"]}
    />
  );
}

function Choice({
  onPick,
  values,
  ...props
}: WidgetProps & { onPick: (value: string) => void; values: readonly string[] }) {
  const hint = hintOf(props);
  return (
    <SelectBox
      {...described(props)}
      first={hint ? `Not set (${hint})` : "Not set"}
      id={props.id}
      onChange={({ target }) => onPick(target.value)}
      options={values.map((value) => ({ value, label: value }))}
      value={props.value}
    />
  );
}

/** Any of the schema's values, in its order. */
function ChoicesWidget(props: WidgetProps) {
  const { id, value, onChange, options, label } = props;
  const all = (options.enumOptions ?? []).map((option) => String(option.value));
  const chosen = new Set<string>(Array.isArray(value) ? value : []);
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2 pointer-coarse:gap-y-0" id={id}>
      {all.map((one) => (
        <label className="flex items-center gap-2 font-mono text-[0.8125rem] pointer-coarse:min-h-10" key={one}>
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
