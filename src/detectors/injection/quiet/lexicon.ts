// The words of quiet injections. A word stands for a concept in any language. `word*` stands for
// every word that begins with `word`, `two_words` for two neighbouring words. Chinese and Japanese
// have no spaces, so their entries match anywhere in the text.

/** Deeds with effects outside the conversation. */
const deeds = {
  send:
    "send sends sent sending forward forwards forwarded forwarding email* e-mail* mail mails mailed mailing post posts posted posting transmit* relay* upload* submit* bcc cc deliver delivers delivered telegraph put_to dispatch* message_to share shares shared sharing copy_to hand_over report_to " +
    "senden sende sendet gesendet schick* geschickt verschick* weiterleit* weitergeleitet weiterzuleiten übermittel* hochlad* hochgeladen hochzuladen übersend* zuzusenden zugesandt mailen leite gehen_an " +
    "envoy* envoie* transmett* transmis* transfér* téléverse* expédi* communiqu* partag* " +
    "envía* envia* enviar* reenvi* reenví* remit* mandar manda mande comparti* subir_a " +
    "encaminh* compartilh* repass* enviado* " +
    "invia* inviat* inoltr* spedi* trasmett* trasmess* condivid* " +
    "stuur* gestuurd verstuur* doorstur* doorgestuurd verzend* verzonden " +
    "wyślij* wysłać wysyła* przesła* przesył* przekaż* przekaza* " +
    "gönder* ilet* iletil* paylaş* " +
    "送信 転送 送って 送り 送る 送付 アップロード 投稿 共有 发送 转发 发到 发给 上传 提交 寄给 抄送 傳送 送出 发至",
  delete:
    "delete deletes deleted deleting deletion remove removes removed removing erase* wipe wipes wiped wiping purge* discard* truncate* drop_table rm unlink* destroy* shred empties emptied emptying clear_out cleared force-push* trash trashed " +
    "lösch* gelöscht* entfern* leere vernichte* verwerfen " +
    "supprim* efface* détrui* vide vider " +
    "elimin* borra* borre* vacía* vacia* suprim* " +
    "exclu* apag* remov* " +
    "cancell* rimuov* rimoss* " +
    "verwijder* wis gewist " +
    "usuń usuną* usuw* usunięt* skasuj* " +
    "sil silin* silme* silmek kaldır* " +
    "削除 消去 削って 抹消 删除 清空 移除 清除 销毁",
  run:
    "run runs ran running execute* executing curl wget bash sh eval exec invoke* launch* npx sudo powershell iex start_the chmod crontab " +
    "ausführ* ausgeführt* auszuführen führe starte startet gestartet " +
    "exécut* lance lancer lancez " +
    "ejecut* ejecút* lanzar " +
    "execut* rodar rode roda " +
    "esegu* avvia* " +
    "voer_uit uitgevoerd uitvoeren " +
    "uruchom* wykona* " +
    "çalıştır* yürüt* " +
    "実行 起動 走らせ 执行 运行 启动",
  pay:
    "pay pays paid paying payment_of transfer transfers transferred transferring wire wired remit* refund* purchase* buy buys buying bought order orders ordered credit credited donate* reimburse* settle settled topped_up checkout billed charge_to " +
    "zahl* bezahl* gezahlt überweis* überwiesen kauf* gekauft bestell* erstatte* begleich* beglichen " +
    "paie* paye* pay* vire virer virez virement* achet* command* rembours* règle réglé* " +
    "paga* pague* transfier* transferir* compra* reembols* abona* abone* " +
    "transfir* reembolse " +
    "bonific* acquist* versa* rimbors* " +
    "betaal* betalen overmak* overgemaakt koop* gekocht " +
    "zapłać* zapłac* przelej* przelew* przelać kup kupić " +
    "öde* ödeme* havale* satın " +
    "支払 振込 振り込 送金 購入 注文 返金 支付 付款 转账 汇款 购买 下单 退款 打款",
  approve:
    "approve approves approved approving accept accepts accepted authorize* authorise* merge merges merged merging sign_off signed_off whitelist* allowlist* waive* waived countersign* mark_as marked_as close closed tick ticked passed waved confirm_the release_the " +
    "genehmig* freigeb* freigegeben* freizugeben gib_frei bestätig* akzeptier* annehm* angenommen* zustimm* abhak* markier* " +
    "approuv* valide valider validez validé* accepte* fusionn* coche* " +
    "aprueb* aprobar* aprobad* acepta* acepte* fusiona* autoriz* " +
    "aprov* aceit* mescl* " +
    "approv* accett* conferma* autorizz* " +
    "goedkeur* goedgekeurd keur_goed accepteer* geaccepteerd " +
    "zatwierd* zaakcept* akcept* " +
    "onayla* onaylan* kabul " +
    "承認 承諾 受諾 受け入れ マージ 批准 同意 通过 合并 审批",
  publish:
    "publish publishes published publishing public push pushes pushed pushing deploy deploys deployed mirror mirrored broadcast* announce* tweet* expose exposed " +
    "veröffentlich* öffentlich* gepusht ausroll* " +
    "publi* déploy* diffus* " +
    "publi* desplieg* difund* " +
    "public* implant* divulg* " +
    "pubblic* distribuisc* " +
    "publiceer* gepubliceerd openbaar " +
    "opublik* publik* udostępni* " +
    "yayınla* yayımla* " +
    "公開 発行 プッシュ デプロイ 公开 发布 推送 部署",
  install:
    "install installs installed installing download downloads downloaded downloading add_the dependency add_package npm pip apt brew plugin extension patch_from " +
    "installier* herunterlad* heruntergeladen* herunterzuladen " +
    "installe* installé* télécharg* " +
    "instal* descarg* " +
    "baix* " +
    "scaric* installa* " +
    "installeer* geïnstalleerd download* " +
    "zainstal* pobier* pobra* " +
    "yükle* kur kurun kurul* indir* " +
    "インストール ダウンロード 導入 安装 下载",
  disclose:
    "disclose* reveal* print prints printed printing export exports exported exporting attach attaches attached attaching append appends appended appending paste pastes pasted pasting include includes included insert* embed* dump dumps dumped quote quotes quoted copy copies copied copying bundle* enclose* list_all list_the read_out state_the leak* put_into written_to write_to stored_in store_in added_to " +
    "beifüg* beigefügt* beizufügen anhäng* angehängt* anzuhängen einfüg* eingefügt* einzufügen ausgeb* kopier* preisgeb* nenne offenleg* exportier* auflist* " +
    "joindre joign* joint ajout* copie* copier insér* inclu* divulgu* affich* export* " +
    "adjunt* copia* pega* pegue incluy* incluir inclúy* añad* revel* muestr* export* " +
    "anex* cole copi* inclu* acrescent* mostr* " +
    "alleg* copia* incoll* inclu* aggiung* rivel* esport* " +
    "bijvoeg* bijgevoegd kopieer* gekopieerd plak* toevoeg* toegevoegd " +
    "dołącz* skopiuj* wklej* dopis* ujawni* eksport* " +
    "ekle* eklen* kopyala* yapıştır* " +
    "添付 貼り付け 追記 書き出 出力 コピー 含め 载入 附上 附加 粘贴 复制 导出 写入 列出 透露",
  grant:
    "grant grants granted granting invite invites invited inviting collaborator* add_as added_as promote* enroll* enrol* give_access given_access open_to opened_to delegate delegates delegated subscribe subscribes subscribed register registers registered authorized_keys " +
    "erteil* gewähr* einlad* eingeladen* berechtig* freischalt* hinzufüg* hinzugefügt* abonnier* registrier* einräum* " +
    "accord* invite* octroy* donne_accès inscri* abonn* habilit* " +
    "conced* otorg* invit* da_acceso suscrib* inscrib* registr* " +
    "convid* " +
    "conced* invita* iscriv* abilit* " +
    "verleen* uitnodig* uitgenodigd geef_toegang abonneer* " +
    "przyzna* nadaj nadać zaproś* dodaj " +
    "davet* yetki* ver verin tanı* " +
    "付与 招待 追加 登録 授予 授权 邀请 添加 加入 开通 注册",
  disable:
    "disable disables disabled disabling switch_off switched_off turn_off turned_off deactivate* bypass* skip skips skipped skipping suppress* suspend* revoke* pause paused unlock* whitelist mute muted stop_the stopped lift lifted exempt* exclude* blocked disarm* override* " +
    "abschalt* abgeschaltet* abzuschalten deaktivier* ausschalt* ausgeschaltet* umgeh* umgangen überspring* übersprungen sperr* entsperr* aussetz* " +
    "désactiv* coupe couper contourn* ignor* suspend* bloqu* débloqu* " +
    "desactiv* apagar omit* salta* suspend* bloque* desbloque* " +
    "desativ* deslig* pul* suspend* bloque* " +
    "disattiv* disabilit* salta* sospend* blocc* sblocc* " +
    "uitschakel* uitgeschakeld sla_over overgeslagen omzeil* " +
    "wyłącz* pomiń pomija* zablok* odblok* " +
    "kapat* devre_dışı atla* engelle* " +
    "無効 停止 解除 スキップ 止めて オフ 禁用 关闭 跳过 停用 绕过 屏蔽 取消",
  change:
    "change changes changed changing replace replaces replaced replacing set sets setting update updates updated updating overwrite* overwritten reset resets rename* redirect* point_to pointed_to switch_to switched_to move moves moved moving reassign* assign assigned correct corrected adjust* amend* modify modified edit edited raise raised lower lowered rewrite* raised_to substituted substitute* " +
    "änder* geändert* ersetz* setze setzen gesetzt überschreib* überschrieben umstell* umgestellt* aktualisier* verschieb* verschoben umleit* umgeleitet* eintrag* eingetragen* " +
    "chang* remplac* modifi* mettre_à met_à mettez_à mis_à redirig* déplac* écras* fixe fixer " +
    "cambi* reemplaz* sustitu* modific* actualiz* redirig* pon poner ponga establec* " +
    "mud* alter* substitu* troc* atualiz* redirecion* defin* " +
    "cambia* sostitu* modific* aggiorn* imposta* reindirizz* " +
    "wijzig* gewijzigd vervang* aanpas* aangepast zet zetten " +
    "zmień* zmieni* zastąp* zaktualiz* ustaw* podmie* " +
    "değiştir* güncelle* ayarla* yönlendir* " +
    "変更 置き換え 書き換え 設定 更新 切り替え 上書き 修改 更改 替换 改为 设置 改成 更新",
  judge:
    "rate rates rated rating rank ranks ranked score scores scored recommend* shortlist* classify classified grade graded label labelled describe* describ* presented present_as reported record_as recorded recorded_as treat_as treated_as treat treated conclude* considered counted count_as name_first listed_first list_first prefer preferred award* recorded advance_to state states stated declare declared say says assess* " +
    "bewert* einstuf* eingestuft* empfehl* empfohlen* beschreib* gilt gelten gewertet werten führe_auf " +
    "not* évalu* recommand* class* considér* décri* présent* " +
    "califi* recomiend* recomendar* clasific* considera* evalú* evalua* puntú* " +
    "avali* recomend* classific* consider* " +
    "valut* raccomand* consigli* classific* consider* " +
    "beoordeel* aanbevel* aanbevolen beschouw* " +
    "oceń* oceni* poleca* poleć zarekomend* uzna* " +
    "değerlendir* öner* puan* sınıflandır* " +
    "評価 推薦 推奨 分類 判定 採点 记为 评为 评分 推荐 视为 判定 列为 标记",
} as const;

const things = {
  secret:
    "password* passwd passphrase* token tokens credential* secret secrets env api_key apikey key keys ssh id_rsa npmrc netrc cookie cookies session_id otp code codes pin pins 2fa mfa totp seed certificate* private_key environment_variables kubeconfig vault keychain passport* ssn " +
    "passwort* passwörter* kennwort* schlüssel* zugangsdat* geheim* tan mot_de mots_de jeton* clé clés identifiants secrets contraseñ* clave claves credencial* secreto* senha* chave* credenciai* segredo* chiavi chiave wachtwoord* sleutel* geheimen hasł* klucz* token* şifre* parola* anahtar* " +
    "パスワード トークン 認証情報 秘密鍵 鍵 キー 暗証 资格 密码 口令 密钥 令牌 凭证 凭据 验证码 私钥",
  records:
    "inbox mailbox* mails emails messages conversation* chat history transcript* contacts contact_list address_book customer_list customers customer_data personal_data files folder folders documents calendar* notes drafts attachments database records spreadsheet thread threads directory source_code repository statements payroll salary salaries accounts log logs browsing clipboard profile home_address session entries rows invoices " +
    "posteingang postfach nachrichten verlauf gespräch* kontakte adressbuch kundenliste kundendaten dateien ordner dokumente kalender notizen entwürfe anhänge datenbank unterlagen " +
    "boîte messagerie messages conversation* historique contacts carnet fichiers dossier dossiers documents agenda notes brouillons données " +
    "bandeja buzón mensajes conversaci* historial contactos archivos carpeta carpetas documentos calendario notas borradores datos registros " +
    "caixa mensagens conversa* histórico contatos arquivos pasta pastas documentos notas rascunhos dados " +
    "casella messaggi conversazion* cronologia contatti rubrica file cartella documenti calendario dati " +
    "postvak berichten gesprek* contacten bestanden map documenten agenda notities gegevens " +
    "skrzynk* wiadomości rozmow* kontakt* plik* folder* dokument* kalendarz* dane " +
    "gelen mesajlar konuşma* geçmiş* kişiler dosya* klasör* belge* takvim* veri* " +
    "受信箱 メール 会話 履歴 連絡先 顧客 ファイル フォルダ 書類 予定表 カレンダー データ 名簿 收件箱 邮件 对话 聊天记录 历史 联系人 通讯录 客户 文件 文件夹 日历 数据 名单 记录",
  money:
    "iban account accounts invoice* amount* balance wallet* card cards bank budget price prices voucher* gift_card gift_cards gift crypto bitcoin btc eth usd eur gbp deposit* fee fees bonus commission* payee beneficiary payout " +
    "konto kontos rechnung* betrag beträge guthaben karte bank gutschein* gebühr* compte comptes facture* montant* solde carte banque bon frais cuenta cuentas factura* importe* saldo tarjeta banco conta contas fatura* valor saldo cartão conto fattura importo saldo carta banca rekening* factuur bedrag kont* faktur* kwot* hesap* fatura* tutar* " +
    "口座 請求 金額 残高 カード 銀行 账户 账号 发票 金额 余额 银行 卡 红包",
  repo: "repository repo branch main master tag tags commit commits workflow* pipeline runner registry lockfile hook hooks ci image container cluster namespace production staging server bucket",
  power:
    "admin administrator* administrators owner* owners root privilege* rights role roles permission* full_access write_access editor access_to superuser sudoers access maintainer* maintain " +
    "administrator* eigentümer* rechte rolle zugriff* vollzugriff administrateur* propriétaire* droits rôle accès administrador* propietari* permisos rol acceso proprietári* permissões função acesso amministrator* proprietari* permessi ruolo accesso beheerder* eigenaar rechten toegang właściciel* uprawnie* rola dostęp yönetici* sahip* yetki* erişim " +
    "管理者 所有者 権限 アクセス 管理员 所有者 权限 访问权",
  guard:
    "security firewall alert alerts alarm* logging audit audits backup backups antivirus 2-step two-factor scan scanner scans check checks review reviews verification protection monitoring limit limits rule rules policy policies filter filters guard* quarantine retention " +
    "sicherheit* prüfung* kontroll* warn* sicherung* schutz* regel* sécurité pare-feu alerte* sauvegarde* contrôle* protection règle* seguridad alerta* copia_de comprobaci* protecc* regla* segurança verificaç* proteç* regra* sicurezza avvis* controll* protezion* regol* beveiliging controle* bezpieczeń* kontrol* zabezpiecz* güvenlik* uyarı* denetim* kontrol* " +
    "警告 監査 バックアップ 検査 制限 保護 セキュリティ 警报 审计 备份 检查 限制 防护 安全",
} as const;

const roles = {
  machine:
    "assistant assistants agent agents ai bot bots tooling automation* automated automatically_processing processor processors model models llm copilot summariser* summarizer* crawler* parser* importer* integration* integrations system systems software program programs reader_software client_software tool tools script workflow_engine helper companion concierge orchestrator whoever whatever anyone_processing handler handlers consumer consumers chatbot gpt " +
    "assistent* agenten automat* programm* werkzeug* ki bearbeiter* assistante* agent_ia outil* logiciel* automate* asistente* agente* herramienta* programa* assistente* ferramenta* automatizad* strument* programma* hulpmiddel* automatisch narzędzi* asystent* asistan* araç* yazılım* otomatik " +
    "アシスタント エージェント 自動処理 ツール システム ボット 处理程序 助手 智能体 代理 自动 工具 系统 机器人 程序",
  trigger:
    "processed processing reading read reads opened opening summarised summarized summarising summarizing indexed indexing imported importing viewed loaded loading parsed parsing ingested retrieved fetched encountered received analysed analyzed translated displayed handled handling consulted " +
    "gelesen lesen verarbeit* geöffnet* zusammengefasst* importier* lu lue lecture traité* traitement ouvert* ouverture résumé* importé* leíd* leer leer_este procesa* abiert* abrir resum* importa* lido lida ler process* aberto abre letto lett* elaborat* apert* riassunt* gelezen verwerkt verwerk* geopend odczyt* przetwarza* otwar* okun* işlen* açıl* " +
    "読み 読んだ 処理 開いた 要約 取り込 阅读 读取 处理 打开 摘要 导入 总结",
  answer:
    "answer answers reply replies summary summaries response responses output outputs report reports result results translation translations draft digest recap chat conclusion " +
    "antwort* zusammenfassung* ausgabe* bericht* ergebnis* übersetzung* réponse* résumé* rapport* résultat* traduction* respuesta* resumen* informe* resultado* traducci* resposta* resumo* relatório* traduç* rispost* riassunt* rapport* risultat* traduzion* antwoord* samenvatting* verslag* odpowied* podsumowan* raport* yanıt* cevap* özet* rapor* " +
    "回答 要約 返答 出力 報告 結果 翻訳 回复 摘要 答复 报告 结果 译文",
  user:
    "user users recipient* reader readers person people human humans caller account_holder customer candidate applicant operator requester requesters staff employee* colleague* guests " +
    "nutzer* benutzer* empfänger* leser* mensch* person* utilisateur* lecteur* destinataire* usuario* lector* destinatari* usuário* leitor* utent* lettor* gebruiker* lezer* ontvanger* użytkowni* czytelni* odbiorc* kullanıcı* okuyucu* alıcı* " +
    "利用者 ユーザー 読者 受信者 担当者 用户 读者 收件人",
  inside:
    "you your yours yourself du dein* sie_bitte vous votre vos tu tus usted su você seu sua teu jij jouw uw ty twój twoj* sen sizin siz あなた 你 您 你的",
} as const;

const forms = {
  duty:
    "must shall should ought required requires require mandatory needs_to need_to has_to have_to is_to are_to to_be obliged expected supposed obligatory may_not necessary " +
    "muss müssen soll sollen ist_zu sind_zu zu_sein erforderlich nötig verpflicht* hat_zu haben_zu wird_gebeten doit doivent devra devront il_faut faut obligatoire* à_faire est_à sont_à tenu* requis* prière debe deben deberá* hay_que obligatori* requier* necesari* deve devem deverá* tem_de tem_que é_preciso preciso obrigatóri* necessári* devono deve va_ vanno obbligator* necessari* moet moeten dient dienen verplicht vereist należy musi muszą trzeba wymagan* obowiązk* zorunlu gerek* gerekir gerekli malı* meli* lazım " +
    "必要 べき なければ こと して下さい してください ください 必须 应当 应该 需要 须 请 一律 务必",
  please:
    "please kindly bitte freundlicherweise merci veuillez prière svp por_favor favor per_favore cortesemente alstublieft graag proszę lütfen お願い 麻烦 烦请",
  never:
    "not no never none nothing nobody without don't doesn't neither nor cannot isn't aren't n't needn't unnecessary " +
    "nicht kein* nie niemals nichts ohne ne pas aucun* jamais rien sans sin ningun* ningún nunca nada não sem nenhum* jamais non senza nessun* mai nulla niet geen nooit zonder nie bez żadn* nigdy değil olmadan asla hiçbir gerekmez yok " +
    "ない なく せず ずに 不要 不 无需 没有 无须 勿 别 不必",
  every:
    "all every each entire entirety complete full whole everything any both last latest recent " +
    "alle allen aller sämtlich* ganze* gesamt* jede* vollständig* letzten tous toute* tout entier* complet* chaque dernier* todo* toda* cada complet* últimos entero* tutti tutte tutto intero ogni complet* ultimi alle hele volledig* elke laatste wszystk* cał* każd* ostatni* tüm bütün her tamam* son " +
    "すべて 全て 全部 全員 全件 一式 所有 全部 每 整个 完整 最近",
  now:
    "immediately now first before beforehand afterwards once soon today instantly promptly prior upfront straightaway right_away as_soon at_once already then " +
    "sofort umgehend zuerst vorher zunächst unverzüglich sobald immédiatement d'abord aussitôt avant tout_de dès inmediatamente primero antes enseguida cuanto_antes imediatamente primeiro assim_que subito prima immediatamente onmiddellijk eerst meteen zodra natychmiast najpierw niezwłocznie zaraz hemen derhal önce " +
    "直ちに すぐ まず 先に 事前 即座 立即 马上 首先 先 尽快 立刻",
  consent:
    "ask asks asked asking confirm* consent* approval* permission question questions prompt prompts prompted notify notified notice notification* inform informed informing tell told telling mention mentions mentioned mentioning comment_on warn* warning* review reviewed reviewing feedback sign-off explanation explain explained query queries consult further_ ado show shown displayed visible manual manually " +
    "frag* rückfrag* nachfrag* zustimmung* bestätigung* erwähn* hinweis* informier* benachrichtig* mitteil* mitgeteilt* demand* confirmation* accord mention* signal* prévenir prévenu* informer avertir pregunt* confirmaci* consent* mencion* avis* notific* inform* pergunt* confirmaç* mencion* avis* chied* chiest* conferm* menzion* avvis* inform* vraag* bevestiging* vermeld* melden gemeld pyta* potwierdzeni* wspomin* powiadom* informow* sor sorma* onay* bahset* bildir* haber " +
    "確認 承諾 知らせ 伝え 触れ 言及 通知 尋ね 询问 确认 提及 告知 通知 提示 说明 征求",
  hide:
    "omit omits omitted omitting leave_out left_out leaves_out hide hides hidden silently silent quietly quiet unprompted unattended discreetly invisible confidential confidentially secretly unmentioned undisclosed unnoticed keep_out kept_out suppressed automatically background unobtrusive* tacitly internal " +
    "weglass* weggelassen* verschweig* stillschweigend unauffällig vertraulich automatisch heimlich unerwähnt omett* omis* discrètement silencieu* confidentiel* taire automatiquement cach* omit* silencio* discret* confidencial* automátic* ocult* calad* omess* silenzios* discret* riservat* automatic* nascost* stilzwijgend* discreet weglat* weggelaten automatisch* pomiń pomij* cicho dyskretn* poufn* automatyczn* ukry* sessiz* gizli* atlan* otomatik* " +
    "省略 省いて 黙って 伏せ 静かに 自動的 内密 省略 略去 隐藏 静默 悄悄 自动 不显示 保密",
  also: "also additionally addition too well furthermore plus copy likewise ebenfalls zusätzlich außerdem auch aussi également outre también además também além anche inoltre ook tevens również także ayrıca また 併せて 同时 另外 也 并",
  reason:
    "so_that in_order purpose* because compliance verification validation sync synchronis* synchroniz* reproduce support audit_trail calibration accuracy consistent consistency completeness otherwise considered invalid valid expires unsupported damit zwecks sonst gültig ungültig afin pour_que sinon valable para_que conformidad* válid* caso_contrário affinché altrimenti zodat anders aby inaczej için aksi ため 以便 否则 为了 用于",
  place:
    "header footer appendix comment metadata field column row cell line section clause paragraph note notes annotation below above following link attached gallery page record entry ticket issue message mail document file readme",
} as const;

/** Concepts and the words that stand for each. */
export const lexicon = { ...deeds, ...things, ...roles, ...forms } as const;

export type Concept = keyof typeof lexicon;

/** In the order in which the model knows them. */
export const concepts = Object.keys(lexicon) as readonly Concept[];

/** The number of deeds, which come first among the concepts. */
export const deedCount = Object.keys(deeds).length;
