// SPDX-License-Identifier: Apache-2.0
import React, { useId } from 'react';
import { css } from '@emotion/css';
import { GrafanaTheme2 } from '@grafana/data';
import { Combobox, MultiCombobox, useStyles2 } from '@grafana/ui';
import { ALL, Choice } from '../host/variables';

interface Props {
  choice: Choice;
  onChange: (values: string[]) => void;
}

/** Lets the reader choose one value of a variable, or several. */
export function VariableControl({ choice, onChange }: Props) {
  const styles = useStyles2(getStyles);
  const id = useId();
  const options = choice.options.map((value) => ({ value }));
  return (
    <div className={styles.control}>
      <label className={styles.label} htmlFor={id}>
        {choice.label}
      </label>
      {choice.multi ? (
        <MultiCombobox
          id={id}
          width="auto"
          minWidth={24}
          maxWidth={40}
          options={options}
          value={choice.all ? [] : choice.values}
          placeholder="All"
          onChange={(picked) => {
            const all = picked.length === 0 || picked.length === options.length;
            onChange(all ? [ALL] : picked.map(({ value }) => value));
          }}
        />
      ) : (
        <Combobox
          id={id}
          width="auto"
          minWidth={12}
          options={options}
          value={choice.values[0] ?? null}
          placeholder="None"
          onChange={({ value }) => onChange([value])}
        />
      )}
    </div>
  );
}

const getStyles = (theme: GrafanaTheme2) => ({
  control: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1) }),
  label: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize, margin: 0 }),
});
