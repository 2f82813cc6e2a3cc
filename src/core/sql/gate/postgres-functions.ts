/** Functions of pg_catalog that are marked volatile and only look: sizes, clocks, random values. */
const HARMLESS = new Set(
  `bernoulli system random random_normal clock_timestamp timeofday gen_random_uuid uuidv4 uuidv7 currval lastval
  pg_database_size pg_relation_size pg_table_size pg_total_relation_size pg_indexes_size pg_tablespace_size
  pg_is_in_recovery pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_get_sequence_data pg_sequence_last_value`.split(
    /\s+/,
  ),
);

/**
 * Functions that must not run although a database may not mark them volatile: they run SQL that comes as text, read files,
 * reach other servers, or signal and keep other sessions waiting.
 */
const REFUSED =
  /^(?:pg_(?:read_|ls_|stat_file|file_|logdir|log_|terminate_|cancel_|reload_|rotate_|promote|switch_|create_|drop_|copy_|replication_|logical_|wal_|backup_|start_|stop_|export_snapshot|import_|advisory_|try_advisory_|notify|sleep|stat_reset|set_|restore_|clear_|sync_|prewarm|background|stat_statements_reset|nextoid|extension_config_dump)|lo_|lowrite|loread|dblink|postgres_fdw_|file_fdw_|http(?:_|$)|cron\.|aws_|azure_|net\.|plpy|plv8|nextval$|setval$|setseed$|set_config$|query_to_xml|cursor_to_xml|ts_stat$|ts_rewrite$|crosstab|connectby|xpath_table$|amvalidate|brin_|gin_clean|suppress_|binary_upgrade_)/;

/** Whether a function only reads: undefined when its database has to be asked how it is marked. */
export function postgresReads(name: readonly string[]): boolean | undefined {
  const [own = '', schema = 'pg_catalog'] = [...name].reverse();
  if (REFUSED.test(own) || REFUSED.test(`${schema}.${own}`)) return false;
  return schema === 'pg_catalog' && HARMLESS.has(own) ? true : undefined;
}
