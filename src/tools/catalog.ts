import * as z from 'zod';
import type { OwnGroup } from '../core/capabilities/catalog.ts';
import { toolName } from './aliases.ts';
import { type GroupName, groups } from './groups.ts';
import { tools } from './index.ts';
import type { Tool } from './tool.ts';

/** Loci's own tool groups with their tools, as the core knows them. */
export function toolCatalog(): OwnGroup[] {
  const names = Object.keys(groups) as GroupName[];
  return names.map((name) => ({
    name,
    ...groups[name],
    tools: tools
      .filter(({ group }) => group === name)
      .map((tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        parameters: parameterLines(z.toJSONSchema(tool.input, { io: 'input', target: 'draft-7' })),
        setting: tool.setting,
      })),
  }));
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A schema's parameters in one line each, such as `query: string` or `top_k: integer = 5`. */
export function parameterLines(schema: unknown): string[] {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
  return Object.entries(properties).map(([name, property]) => {
    const { default: value } = property as JsonSchema;
    const optional = required.includes(name) ? '' : value === undefined ? ' (optional)' : ` = ${JSON.stringify(value)}`;
    return `${name}: ${typeName(property as JsonSchema)}${optional}`;
  });
}

function typeName({ type, enum: values, anyOf }: JsonSchema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return [...new Set(anyOf.map((option) => typeName(option as JsonSchema)))].join(' | ');
  return type === undefined ? 'any' : [type].flat().join(' | ');
}

/** The registered tool that a name means: its own, an alias, or with the `loci_` that the editor puts before it. */
export function toolNamed(name: string): (typeof tools)[number] | undefined {
  const real = toolName(name);
  return tools.find((tool) => tool.name === real);
}

/** True when a tool's setting, if it has one, is on. */
export function isEnabled(tool: Tool, settings: Readonly<Record<string, unknown>>): boolean {
  return tool.setting === undefined || settings[tool.setting] === true;
}
