# Calls operations with a generated client: a call per line of stdin, an answer per line of stdout.
#
# Argument: the URL of the REST API.

require 'base64'
require 'json'
require 'logger'
require 'uri'
require 'board_service'

OPERATIONS = {
  'auth.register' => [BoardService::AuthApi, :auth_register, :RegisterAuthInput],
  'workspace.create' => [BoardService::WorkspacesApi, :workspace_create, :CreateWorkspaceInput],
  'workspace.export' => [BoardService::WorkspacesApi, :workspace_export],
  'board.create' => [BoardService::BoardsApi, :board_create, :CreateBoardInput],
  'board.cards' => [BoardService::BoardsApi, :board_cards],
  'board.queryCards' => [BoardService::BoardsApi, :board_query_cards, :QueryBoardCardsInput],
  'field.create' => [BoardService::FieldsApi, :field_create, :CreateFieldInput],
  'view.create' => [BoardService::ViewsApi, :view_create, :CreateViewInput],
  'view.cards' => [BoardService::ViewsApi, :view_cards],
  'board.exportCsv' => [BoardService::BoardsApi, :board_export_csv],
  'card.create' => [BoardService::CardsApi, :card_create, :CreateCardInput],
  'card.get' => [BoardService::CardsApi, :card_get],
  'card.update' => [BoardService::CardsApi, :card_update, :UpdateCardInput],
  'card.toggleLabel' => [BoardService::CardsApi, :card_toggle_label],
  'label.create' => [BoardService::LabelsApi, :label_create, :CreateLabelInput],
  'checklist.create' => [BoardService::CardsApi, :checklist_create, :CreateChecklistInput],
  'checklist.addItem' => [BoardService::CardsApi, :checklist_add_item, :AddChecklistItemInput],
  'comment.create' => [BoardService::CardsApi, :comment_create, :CreateCommentInput],
  'attachment.upload' => [BoardService::AttachmentsApi, :attachment_upload],
  'attachment.download' => [BoardService::AttachmentsApi, :attachment_download]
}.freeze

def client_of(token)
  url = URI(ARGV[0])
  configuration = BoardService::Configuration.new do |it|
    it.scheme = url.scheme
    it.host = "#{url.host}:#{url.port}"
    it.base_path = url.path
    it.server_index = nil
    it.logger = Logger.new($stderr)
    # Without it an array is sent as `labels[0]`.
    it.params_encoding = :multi
    it.access_token = token
  end
  BoardService::ApiClient.new(configuration)
end

def plain(data)
  return data.to_hash if data.respond_to?(:to_hash)

  data.is_a?(String) ? JSON.parse(data) : data
end

def answer(call)
  api, method, type = OPERATIONS.fetch(call['operation'])
  values = (call['path'] || {}).values
  options = (call['query'] || {}).transform_keys(&:to_sym)
  body = type && BoardService.const_get(type).build_from_hash(call['body'])
  # An optional body is an option.
  optional = { card_update: :update_card_input, board_query_cards: :query_board_cards_input }[method]
  optional ? options[optional] = body : values << body if body
  values << Base64.decode64(call['file']) if call['file']
  data, status = api.new(client_of(call['token'])).send("#{method}_with_http_info", *values, options)
  data = data.tap(&:open).read if data.is_a?(Tempfile)
  return { status: status, file: Base64.strict_encode64(data) } if data.is_a?(String)

  { status: status, data: plain(data) }
rescue BoardService::ApiError => e
  { status: e.code, data: plain(e.response_body) }
end

$stdout.sync = true
$stdin.each_line { |line| puts JSON.generate(answer(JSON.parse(line))) }
