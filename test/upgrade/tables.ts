/** Tables that grow with use. No migration may rewrite or read one while writes wait. */
export const growing = new Set(
  `app_codes app_refresh_tokens apps attachments attempt_counts card_aliases card_field_values card_labels card_members card_relations card_watchers cards
  checklist_items checklists client_ids comments deliveries delivery_attempts device_codes events
  idempotency_keys identities import_files import_issues import_readings imported_assignments imported_items
  imported_people jobs lists logs members notifications oauth_states operator_actions password_resets
  recovery_codes refresh_tokens search_texts search_words second_factors sessions sign_in_challenges sign_ins stream_tickets users`.split(
    /\s+/,
  ),
);

/** Tables of settings and of names, which stay small: a scan takes milliseconds. */
export const small = new Set(
  `api_keys board_favourites board_members boards custom_field_options custom_fields forbidden_apps imports
  integrations invites labels member_overrides roles secret_fingerprints views webhooks workspaces`.split(
    /\s+/,
  ),
);
