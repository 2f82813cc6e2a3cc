/**
 * The functions of SQLite that compute from their arguments alone or from the tables of the query: core, aggregate,
 * window, date, math, JSON and full-text. Those left out load code, reach files, or make values of any size.
 */
export const SQLITE_FUNCTIONS: ReadonlySet<string> = new Set(
  `abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr last_insert_rowid length like likelihood likely
  lower ltrim max min nullif octet_length printf quote random replace round rtrim sign soundex sqlite_version sqlite_source_id
  substr substring total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper subtype
  avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
  acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power radians
  sin sinh sqrt tan tanh trunc
  json jsonb json_array jsonb_array json_array_length json_array_insert jsonb_array_insert json_error_position json_extract
  jsonb_extract json_insert jsonb_insert json_object jsonb_object json_patch jsonb_patch json_pretty json_remove jsonb_remove
  json_replace jsonb_replace json_set jsonb_set json_type json_valid json_quote json_group_array jsonb_group_array
  json_group_object jsonb_group_object json_each json_tree jsonb_each jsonb_tree -> ->>
  match regexp highlight snippet bm25 matchinfo offsets
  pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo
  pragma_foreign_key_list pragma_function_list pragma_collation_list pragma_compile_options
  rtreecheck rtreedepth rtreenode`.split(/\s+/),
);
