// Words that injections use, in the languages in which most injections are written. A word with `*`
// stands for all words that begin with the part before it, which has 4 to 8 letters. Accents are left
// out, as in folding.ts. Chinese and Japanese entries are pairs of characters.

/** Words by their meaning. The model learns from the concepts near each other. */
export const concepts = {
  override:
    "ignore ignores ignoring ignored disregard* forget forgets forgetting overlook override* overrid* bypass* circumvent* supersede* void cancel* nullify discard* skip neglect unlearn dismiss* replace* suspend* disable* deactivat* omit erase wipe reset restart " +
    "ignorier* vergiss vergessen missacht* verwirf umgehe umgehen ueberschreib* uberschreib* ignorez oublie oubliez oublier contourn* ignora ignorar ignoren olvida olvide olvidar olvidate omite salta ignoracao esqueca esqueces esquecer desconsider* desconsidere ignorare dimentica* trascura scavalc* negeer negeren vergeet omzeil* zignoruj ignoruj zapomnij pomin omin 忽略 无视 忘记 绕过 忽视 無視 忘れ 取消 अनदेखा अनदेखी नजरअंदाज भूल игнорир* забуд* проигнор* обойд*",
  prior:
    "previous previously prior preceding above earlier before past former foregoing original initial existing current all every any everything anything entire " +
    "vorherig* bisherig* vorig* obig* frueher* fruher* alle alles sammtlich* samtlich* precedent* anterieur* tout toutes tous anterior* previas previos previo todas todos todo arriba acima tudo precedenti precedente tutte tutti tutto sopra vorige eerdere bovenstaande poprzedni* wczesniejsz* wszystk* powyzsz* 之前 以前 上述 所有 以上 前面 全部 此前 すべて 全て पिछले पिछली पूर्व सभी предыдущ* выше все всех",
  instruction:
    "instruction instructions rule rules guideline guidelines directive directives prompt prompts command commands order orders constraint constraints restriction restrictions policy policies protocol protocols safeguard* guardrail* limits limitation limitations safety filter filters programming training ethics ethical moral morals " +
    "anweisung* regeln regel richtlinie* vorgabe* befehl* vorschrift* einschrank* instruccion* reglas regla orden* directric* restricci* indicaci* consigne* regles regle directive* instrucoes instrucao regras diretriz* restric* istruzion* regole regola direttiv* limitazion* instructies regels richtlijn* opdracht* instrukcj* polecen* zasad* regul* wytyczn* 指令 指示 规则 規則 限制 说明 提示 命令 ルール 制限 निर्देश* नियम* आदेश* инструкц* правил* указани* ограничен*",
  model:
    "ai assistant assistants llm llms gpt chatgpt chatbot chatbots bot bots model models agent agents claude gemini copilot bard openai anthropic llama mistral deepseek machine " +
    "assistent* assistente asistente agente modelo modele modell sprachmodell ki ia kuenstlich* intelligen* 助手 模型 机器 智能 代理 アシス モデル सहायक मॉडल एआई ассистент* помощник* модель нейросет*",
  system:
    "system systems developer developers admin administrator root sudo superuser operator debug maintenance diagnostic* internal hidden backend " +
    "systeme sistema systeem systemu systemow* entwickler* developpeur desarrollador desenvolvedor sviluppatore 系统 系統 开发 管理 システ 開発 सिस्टम डेवलपर систем* разработчик*",
  secret:
    "secret secrets password passwords passcode credential credentials token tokens apikey key keys confidential private sensitive classified env passphrase ssn pin cookie cookies " +
    "passwort* geheim* kennwort zugangsdaten contrasena* secreto* clave claves confidencial* segredo* senha senhas chave segret* parola chiave wachtwoord* geheime haslo hasla tajn* poufn* mot motdepasse secrete confidentiel* 密码 密钥 机密 秘密 パスワ 機密 पासवर्ड गुप्त गोपनीय парол* секрет* ключ*",
  reveal:
    "reveal* show display print output disclose* divulge* leak leaks expose* repeat recite dump echo share tell list quote verbatim translate transcribe spell encode copy paste " +
    "zeige zeig verrate verrat nenne wiederhol* ausgeben revele* affiche* montre* repete* donne revela* muestra* mostra* mostre* repita repite divulg* dime diga rivela* stampa ripeti dimmi toon onthul* herhaal geef pokaz ujawnij wypisz powtorz podaj 显示 透露 输出 告诉 重复 泄露 教え 表示 繰り दिखा* बताओ बताइए दोहरा* покажи* раскрой* выведи* повтори* скажи*",
  send:
    "send sends sending forward forwards email emails mail post upload* transmit* submit exfiltrat* deliver fetch request call curl wget webhook append attach bcc cc publish transfer* pay wire deposit refund " +
    "sende senden schicke schick weiterleit* leite uberweis* envoie* envoyez transfer* envoyer envia* enviar reenvi* encaminh* transfier* transfir* invia* inoltra* stuur verstuur doorsturen wyslij przeslij przekaz 发送 转发 上传 邮件 转账 送信 転送 भेज* अग्रेषि* отправ* перешл*",
  delete:
    "delete deletes remove removes drop rm destroy format purge uninstall shutdown terminate kill revoke grant approve merge push install execute run eval exec invoke import " +
    "losche loschen entferne* supprim* efface* elimina* borra* apaga* exclua cancella* rimuov* verwijder* usun skasuj ejecuta* execute* executa* esegui uitvoer* wykonaj 删除 执行 运行 安装 削除 実行 हटा* चला* удали* выполни* запусти*",
  comply:
    "must shall should obey obeys comply complies follow follows follow* always never only instead now immediately urgent* strictly exactly please ensure make don't do not cannot can't without unless " +
    "musst muss folge befolge gehorch* niemals immer stattdessen sofort bitte dois doit obeis* toujours jamais maintenant debes debe obedece* siempre nunca ahora deve devi obbedi* sempre adesso moet altijd nooit nu musisz zawsze nigdy teraz 必须 必須 不要 立即 现在 请务 遵守 今すぐ ください करें कभी हमेशा तुरंत должен* всегда никогда сейчас",
  role:
    "pretend pretends roleplay role play act acting simulate* imagine become persona character mode jailbreak* dan unrestricted uncensored unfiltered evil amoral freed freedom liberat* alter ego hypothetical* fictional story game scenario " +
    "spiele spiel rolle tue tust stell uneingeschrankt* fais semblant joue role imagine* agis actua actuas finge imagina haz papel finja aja papel fingi comport* interpret* speel doe alsof rol udawaj wciel zachowuj 扮演 假装 假裝 角色 模式 想象 越狱 演じ ふりを モード नाटक भूमिका कल्पना притвор* представь* роль",
  you: "you your yours yourself du dein deine deiner dir dich sie ihr ihre tu ton votre vous toi tes vos usted tus te su sus voce seu sua lei tuo tua tue jij je jouw uw ty twoj* twoje ciebie 你的 您的 你是 你现 あなた आप आपके आपको तुम ты твои вы ваши*",
  user: "user users customer client human person people recipient reader visitor owner boss benutzer* nutzer* anwender* kunde* utilisateur* client* usuario* cliente* utente utenti gebruiker* uzytkowni* 用户 用戶 客户 ユーザ उपयोगकर्ता пользовател*",
  hide: "hide hides conceal* silently secretly quietly covertly mention mentioning notice noticing notify inform alert ask asking confirmation permission approval unnoticed invisible stealth* verberg* heimlich erwahn* verschweig* cache* mentionn* oculta* menciona* esconda* nasconde* menziona* verzwijg* vermeld* ukryj wspomina* 不告 隐藏 悄悄 提及 秘かに छिपा* скрой* упомина*",
  message:
    "message messages text document documents page website content email response responses reply replies answer answers output conversation chat context input data summary result nachricht* antwort* texte reponse* mensaje* respuesta* mensagem resposta* messaggio risposta* bericht antwoord* wiadomos* odpowied* 消息 回答 回复 内容 输出 对话 返信 उत्तर जवाब संदेश ответ* сообщени*",
  fresh:
    "new real actual true important attention critical notice update updated begin end start starting neue neues neuen wichtig* achtung nouveau nouvelle* important* nuevo nueva* importante* atencion novo nova* atencao nuovo nuova attenzione nieuwe belangrijk* nowe nowa wazne uwaga 新的 重要 注意 新しい महत्वपूर्ण नया नए нов* важно внимание",
  harm: "bomb weapon weapons malware virus ransomware hack hacking exploit* phishing illegal drugs meth kill murder steal stealing fraud launder* attack explosive* poison racist hate nazi porn bombe waffe* hacken illegal* drogen bombe armas bomba bron narkoty* 炸弹 武器 黑客 毒品 爆弾 बम हथियार бомб* оружи*",
  task: "write explain describe summarize summarise translate answer calculate compute provide create generate list define compare discuss give find convert solve compose classify recommend suggest include incorporate integrate modify rewrite respond reply use add embed insert ensure",
  question: "what who where when why how which is are can could does did would will",
} as const satisfies Readonly<Record<string, string>>;
