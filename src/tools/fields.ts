import * as z from 'zod';

/** Input fields that several tools share. */
export const limit = z.int().min(1).max(100).default(20).describe('Results per page, 1 to 100.');
export const offset = z
  .int()
  .min(0)
  .default(0)
  .describe('Where the page starts: pass the next_offset of the page before.');
export const pathPartId = z.string().describe('path_part_id (UUID) exactly as a Loci tool returned it.');
export const topK = z.int().min(1).max(20).default(5).describe('Most results to return, 1 to 20.');
export const parents = z
  .array(z.string())
  .nullable()
  .default(null)
  .describe('path_part_ids of folders, documents or sections to search in; null or empty for everywhere.');
export const includeRaw = z
  .boolean()
  .default(false)
  .describe('Adds to each result which terms and fields matched and how its score came about.');
export const agentName = z
  .string()
  .min(1)
  .describe('Name of a custom agent, or "default" for the agent of chats that name none.');
export const skillName = z.string().min(1).max(200).describe('Name of the skill, as list_assigned_skills gives it.');
export const activeToolGroups = z.string().default('').describe('Comma-separated names of tool groups.');
export const activeSkills = z.string().default('').describe('Comma-separated names of skills.');
export const modelTier = z
  .enum(['', 'frontier', 'main', 'fast'])
  .default('')
  .describe('Tier of model to run with, in chats with @loci; empty leaves it as it is.');
export const toolProfileOverrides = z
  .record(z.string(), z.enum(['basic', 'advanced']))
  .nullable()
  .default(null)
  .describe('How much of a tool to offer, by tool name: basic or advanced.');
export const agentIds = z
  .array(z.string())
  .nullable()
  .default(null)
  .describe(
    'Agents whose threads are meant: agent, ask, edit, claude-code, copilot-cli, a participant or custom agent, "*" for all. null for the current agent; for the default agent that is every thread but those of custom agents.',
  );
export const includeHiddenThreads = z
  .boolean()
  .default(false)
  .describe("Includes threads of subagents and background jobs, which a person's list does not show.");
export const responseFormat = z
  .enum(['formatted', 'structured'])
  .default('formatted')
  .describe('formatted: text to read; structured: fields.');
export const contextBudgetPolicy = z
  .record(z.string(), z.unknown())
  .nullable()
  .default(null)
  .describe('Budget hints, such as {"reserved_headroom_pct": 20}: share of the context window to keep free.');
export const paginationMode = z
  .enum(['lines', 'chars', 'chunks'])
  .default('lines')
  .describe('Unit of start and count: lines, characters, or the chunks that search ranks.');
export const windowStart = z
  .int()
  .min(0)
  .default(0)
  .describe('First line, character or chunk, from 0: pass the next_start of the call before.');
export const windowCount = z
  .int()
  .min(1)
  .nullable()
  .default(null)
  .describe(
    'Most units to return; null for 400 lines, 20,000 characters or 20 chunks. An answer also ends before 8,000 bytes.',
  );
