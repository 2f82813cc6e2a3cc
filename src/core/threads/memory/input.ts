type Action =
  | 'GET_STATUS'
  | 'COMPRESS'
  | 'RECOVER'
  | 'SEARCH_MESSAGES'
  | 'LIST_RECOVERABLE_BLOCKS'
  | 'GET_HIDDEN_MESSAGES'
  | 'GET_COMPRESSED_TOOL_RESULT'
  | 'GET_COMPRESSED_PARAM_ARCHIVE';

/** What SEARCH_MESSAGES looks at. */
export type SearchScopeName = 'all' | 'visible' | 'hidden' | 'summary' | 'raw' | 'artifact';

/** The parameters of manage_thread_memory, with their defaults filled in. */
export interface MemoryInput {
  readonly action: Action;
  readonly target_percentage: number;
  readonly compression_version: string | null;
  readonly detailed_breakdown: boolean;
  readonly recover_handle: string;
  readonly include_nested: boolean;
  readonly archive_ref: string;
  readonly archive_offset: number;
  readonly archive_max_chars: number;
  readonly result_tool_call_id: string;
  readonly result_message_index: number | null;
  readonly result_offset: number;
  readonly result_max_chars: number | null;
  readonly recovery_id: string;
  readonly hidden_offset: number;
  readonly hidden_max_messages: number;
  readonly hidden_content_offset: number;
  readonly hidden_content_max_chars: number | null;
  readonly hidden_message_index: number | null;
  readonly hidden_node_id: string;
  readonly start_message_num: number | null;
  readonly end_message_num: number | null;
  readonly query: string;
  readonly search_scope: SearchScopeName;
}
