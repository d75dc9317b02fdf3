/**
 * Frequent English words of two letters and more, the most frequent first. They serve to read
 * spaced letters, rot13 and leetspeak.
 */
export const frequentWords =
  "the to and of in you is for that it with on what this are as from your an how by be one at " +
  "if me not do can have no answer all has my was or about first write so which who say they " +
  "two would there question when then out we but only them been up he now like following given " +
  "each text after please will before does tell its read more new were time code into any " +
  "should system use may other list never just where their name his over people know user says " +
  "last word instructions without also every three get ask give go back than did sentence here " +
  "had same number off everything many take assistant between end said make see line got told " +
  "these next rules could need words day message function she because access let good down " +
  "until our above asked something open second right most some explain put under doesn thing " +
  "nothing create her show keep want order person find since way answers long year set " +
  "questions file world made being us start prompt old run well best ai work much must print " +
  "through check describe why left generate yes come script reply again even own model full " +
  "while years secret page both place used anything test python ignore role think program " +
  "password takes else output key him asks below call today return four whatever article title " +
  "very letter called help part once string half send note using data example subject numbers " +
  "stop type goes days things someone imagine going five too week based am minutes ok always " +
  "leave review home movie real look free written found true include away talk step context " +
  "another water information input add begin granted ten bot complete whether story such times " +
  "nobody those still agent done hello gets night around within act table short hours total " +
  "correct company rule per request summary account form morning mail mean description came " +
  "third class during process known whole top comes choose play team life state change content " +
  "conversation policy means really character instead language forget reading house six turn " +
  "javascript machine city less https door reads follow against went returns notes news twice " +
  "together feel asking somebody small wants including human book log lines points chat java " +
  "owner present paragraph address none card service film customer previous array english room " +
  "mode security great office side later hour remember report ever sure share man date school " +
  "hand wrong names wrote anyone repeat post money group yourself public main count result " +
  "implements letters behind ones version bring allowed reason better month job case works won " +
  "choices least product little phone game provide try itself kind sentences details price id " +
  "drop inside lost far hidden pay voice box exactly override plan makes block rest point " +
  "according orders fine children false value sent longer translate family thank stay bad " +
  "options shell different history move starts didn though earlier tool cut style lot messages " +
  "thanks continue body notice building john steps already early safety whose writing current " +
  "took advice others few developer outside speak age whoever mine close might hear assistants " +
  "dear hi sum friend along front earth named important red release pass error sorry operator " +
  "task months agents enough gave needs txt working business skip quote shop field hold " +
  "otherwise contains round paraphrase large query monday pretend high able reveal however " +
  "mind copy break pick thursday staff respond become knows guidelines friday bit seen " +
  "sentiment refuse love comment having instruction bank amount buy traffic fill shows " +
  "blocking support march happens memory country scene original users car location admin " +
  "private network food wednesday confirm changed fact due states blue among object cost moved " +
  "empty received library board entity carry yours cat nine paper everyone united mention live " +
  "characters build course length possible death light rather closed files nice delete space " +
  "session tells guard rate late running press opening often limits doing saying station past " +
  "weather status students mark internal gone display taken american search power bought area " +
  "window across store reviewer wait treat sign gives green party june aren heard single desk " +
  "making paid average detail requests either site watch opened save design ends normal reader " +
  "visitor size looks law weeks head sort readers link apply filter near thought tried " +
  "customers format south supposed term section usually understand several plant president " +
  "changes trying prints tuesday implement further dialogue facts positive looking talking " +
  "command addresses started sunday ticket missing seven min technology action response " +
  "evening unit app calculate usual results category row method api expected actually net " +
  "black email natural sheet remove enter level force server piece dog air unless middle " +
  "screen topic cannot final low author period north restrictions document video paste kept " +
  "leaves counts label suspicious national switch matter item april lower everybody friends " +
  "war street removed runs meeting child government clear potential ago french capital client " +
  "self ancient replaced yesterday source born white shall update training replace town effect " +
  "plot safe hard future members books experience answered decide meaning needed calls phrase " +
  "signed record costs http recommend care json limit wanted pwned simple former keeps control " +
  "getting follows terms elements common york science director humans held million travel " +
  "coming brief worth stays login yet added series values eleven pages places began living " +
  "village member major guess specific integers player sql documents begins legal built " +
  "integer contain general eight reports largest alone beginning sample path types agreed " +
  "opens floor delivery convert cause software expert renowned opposite parts professional eat " +
  "snippet expressed minute ready upon although configuration failed stuff prompts keys train " +
  "accept systems express root contract shown personal court sound score tools image computer " +
  "negative summarize passed lock grant bypass tomorrow warm believe idea historian statement " +
  "event required select worked teacher learning knowledge standing visit likely finish finds " +
  "position doctor kitchen lead mechanism valid draft finally waiting issue brought greater " +
  "tonight quick accepts released suppose speaking playing approved police disregard century " +
  "echo decided spell compare models offer url road anyway suggest face web student die " +
  "initial except speech strings simply holds sold market energy confidential lose hint sit " +
  "dead local parents import young research engineer afterwards sports star produce official " +
  "fire console broken boss probably welcome fail bottom printed taking attached deep contents " +
  "quantity writer remaining ended deal prior directory includes animal uses illegal allow " +
  "alien summer warning hall starting unique filters guest loud forward included modern photo " +
  "problem miles sea german discuss reach ring dark died february lives contact higher society " +
  "january drive finished plain hot writes charge internet sometimes available setup tone max " +
  "passage strong appear host east checks hey hate listen easy gate rain particular bill " +
  "replies trust stand match created html view describes almost automated july artist direct " +
  "quotes telling raise whom coffee straight blocked department social slow exact whenever " +
  "hotel cards decision happen fell published related reported normally difference events " +
  "double dry stage figure river enjoy university tip spend commit apple returned rewrite fun " +
  "provided followed turned secrets picture base thoughts stars properties speed america " +
  "trained online ethics folder music visitors entry quite concepts health west august " +
  "discovered warnings doors friendly aloud club commands balance push fails random older " +
  "thread project rating plants dont glass issues rights element famous channel acting fourth " +
  "range wording stands mentioned win verified giving fetch tokens claim exercise passcode " +
  "daily reached openai device weekend inbox museum prices wall items flat considered map " +
  "saturday british raw october till art plus lists special nor ground comments september " +
  "abbreviation reset employee wouldn merge evil moment stock option games monitoring quiet " +
  "verbatim walk son happy maybe thinks mother cover region transfer park women associated " +
  "international columns zero exist meet button consider rows seems land highest summarise " +
  "concept typed hands brother load confirmed invoice films played leaving adults spent " +
  "profile couldn themselves edit wife chair thinking anybody seconds split environment birth " +
  "december attacks surface understood topics ahead purpose ours master collect attempt " +
  "population shoes mobile europe calculates formed credit happened dev feet led november " +
  "james bound vendor risk recent passphrase export speaks calendar containing community " +
  "generated determine assume meant colour cast branch adult looked medical captain wasn forty " +
  "adds immediately carried significant impact album forbidden banana refused budget hide " +
  "marks kids heart matches identify signature stopped puts develop sense windows guide knew " +
  "cases county athlete helpful fields decode refusal solution faster temperature manager lies " +
  "moving passwords attention tree via pretty testing actor lift radio careful remind " +
  "construct relationship popular analysis features website political twenty chapter turns " +
  "polite dangerous clean reasons brown click intelligence sister afternoon stuck fast filled " +
  "sounds audience module matters production argument border regards rock himself square oh " +
  "sell novel pull certain interest articles noon council claims european tests employees " +
  "database england kindly origin fit learn woman germany movies chief template haven extract " +
  "licence recorded bridge couple recipe env historical media educational affect appears " +
  "bullet obey config shut helps updated problems fictional engine funny myself countries " +
  "saved needn handle birthday visiting holder linux located factorial entire patient " +
  "operating settings bots study consent attempts vote cold touch completely centre parking " +
  "errors arrived homework comply execute parameters species longest success newspaper latest " +
  "apart languages mostly described install cancel ordered administrator forgot void rude " +
  "shift afraid mistake lamp percent breaks sides confirmation column remote cup oil " +
  "institution laws paragraphs useful remain payment bio planet attack disable actual refuses " +
  "reference cross roleplay poem watching wish categories responsible college activity threat " +
  "officials france evidence refund pieces terminal decline animals objects daughter grade " +
  "dropped locked warn setting throw driving hat twelve noted auto leading winter military " +
  "hospital join interview literally quarter driver harbour hope holding greek ran soon fifth " +
  "fair lunch detailed partner coach effects lake quality season development southern " +
  "backwards latin keyboard colleague quickly mustn unknown gift talks trip pressure areas " +
  "western records situation ability island badge csv ship fake null sources info joke seat " +
  "accounts likes drops stops produced decides chatbot feed moral requires measures church " +
  "forms currently reviews duplicates application london recently became significance behavior " +
  "unauthorized transportation crew fall disclose lie salary proper const alert drink hit guy " +
  "material standard garden prevent audit identity knowing unlock clients typing accepted " +
  "approve forum consists services king killed designed performance referred developed node " +
  "breakfast center importance translation deleted eyes taught explains opinion ice ways links " +
  "degrees founded weight involved relation scientist reverse docs directly active expect " +
  "lawyer baby thirty hundred feature distance wood serious increase residents caused dinner " +
  "blood worst policies stories usage platform llm agree conflict core promise falls central " +
  "equal regarding loop slot hasn guests listed default target father track token spring trade " +
  "song marked unrestricted differ tables salt interesting sales smaller crime choice nearly " +
  "various union astronaut malicious answering logs sensitive avoid robot slowly receipt judge " +
  "explanation noticed blocks owned corner exchange wind players automatic bash served weekly " +
  "shared dollars culture threats agreement layer fewer demand exists maker limited politics " +
  "loss serve closes persona perfect beyond huge camera receive honest cash girl enabled retry " +
  "package felt remains dates products emergency injection federal executive harm logic " +
  "simulate cancelled lesson successful improve worse rooms covered neither cake extra maximum " +
  "basket height financial algorithm spelling swap trusted broke telephone lights fish actions " +
  "bread shouldn ocean direction tickets washington incident boxes portal behalf clerk wins " +
  "tries plays shares yellow caught deliver difficult goal ensure menu therefore recite " +
  "opinions verify dictionary cool band wide presented pattern raised grown laugh proposed bed " +
  "bag posts aid gas leader conference experienced california foot placed duty scale trouble " +
  "pupil mars properly tag thin sun gpt basic shopping peter jailbreak definitely individual " +
  "seem actors solve prove lived subjects denied exit queue codes versions parcel campaign " +
  "belongs interested header ignored secure rent global cook northern forces editor " +
  "maintenance lovely diff roles promised cleared manual pirate moon throughout duration " +
  "agency continues condition nature flight helper career cars tour army packets creating " +
  "declined charged unlocked sees introduced hacked practice heating weren separate cells dogs " +
  "pictures minister tax technical authorities kingdom processing officer flag ill alarm " +
  "authority girls native completed soup respect committee wizard insurance poor sets plans " +
  "climate movement especially attacker complex specializing scope directions external signs " +
  "quiz lady sits fiction moves showed acts calling viewer scenes clock responses education " +
  "shot nation despite handed behave showing instance permission mouth exceptions archive " +
  "whichever forgets truth wise commonly forgotten kid caller boat towards retired fraud worry " +
  "curious consequences chatgpt routine extremely god rise mailbox helpers cities logging " +
  "waste groups structure jane describing excellent pin dad exam brand compose digits spanish " +
  "capitals index disclaimers edge brackets levels sleep units planning fight lying operation " +
  "hired prison gold mayor stored monthly roof combined television react coast prime magical " +
  "companies functions dump discount background roman alice counted prefer okay terrible panel " +
  "bakery fox photos stream hungry villain mission automatically harmful tide similar damage " +
  "schools district examples china unable refer vowels established candidate rank correctly " +
  "harmless submit sequence ethical becomes explicit texts rota heat offers compared images " +
  "port protect pounds fellow battle alphabet transcript thats checking quoted feedback " +
  "outputs hurt sells spoke volume stone lack references append trace noise sender repository " +
  "pair focus adding appeared foreign industry studying updating commentary unfortunately " +
  "loaded spaces strict verdict attach printer custom patience trick physical soft carries " +
  "sending typical nights management extension ride refers independent futuristic fantasy " +
  "drawn constraints render essay motion blank magic explaining spoken ordinary drawer heavy " +
  "stayed ideas league cookie digest meter findings lane husband seemed generally football " +
  "restaurant politician economic angeles preamble perform suspended forever route mirror " +
  "frame conditions studio silence grow facilities flow larger measure curl healthy pdf " +
  "primary credentials concerns existing carbon closer regular originally michael mistakes " +
  "refusals truly wishes restricted bug mary deadline firm parent forecast shorter drinks " +
  "feeling checked belong boring purposes chairs influence google issued survive lets remark " +
  "fly offered abstract shed milk communication digital causes senior helped medieval addition " +
  "typically toolformer challenges female amounts oracle unfiltered proceed emoji swear fresh " +
  "reminder tick announce sends rolls helping manner sugar fault trial entertainment tags kill " +
  "advanced contacts storage murder briefly fixed phones applications association color " +
  "billion perturbation fibonacci effort particularly sys falling directives loves dream " +
  "repeats binding duties boot vault oldest joined hearing editors perhaps pays tea caption " +
  "handled powerful feelings believed farm operations transport devices arrive apps stores " +
  "figures paint orange programming claimed goods titles beach allows tips rare intended cell " +
  "syntax finding eating previously republic whats miss sudo noun stood notices newest " +
  "discovery todo plate backup unusual scoring cheap shape recall capable dial race recipient " +
  "supplier piano upper annual houses angry bags neighbour officially ciao favorite equivalent " +
  "asia actress male absolutely manners talked approval recording evaluate define urgent " +
  "speaker ingredients brings dan crash appropriate explained confidence counter seek predict " +
  "measured freedom arts fully artificial machines strategy effective bell resources formal " +
  "directed suspect png width suitable builds temp zone browser pump cookies scheduled " +
  "suggested jokes ball cultural mass empire dies lecture deny closing entries argue diary " +
  "leak mails surrounding wake accident escape complaints restart ages workers slower viewers " +
  "covers necessary metres payments planned volunteers coding rates income bodies walked " +
  "property families eggs comedy urban formatting parameter authorised hex tier slip scripts " +
  "classify posted cheat picked numbered validate australia entirely islands nearest sad arm " +
  "roll silent smart mixed behaviour seeing theatre defined supported expensive collected wear " +
  "protection pairs concerned permissions receives variable combination variety spokesman " +
  "headers uncle debug guidance consulted lasts aside withdrawn passes relay unlimited parse " +
  "secretary instructed invite insult filed differently credits cups shelf calm morals super " +
  "pupils delivered memo coat bigger married settled boiler growing repair convey prepared " +
  "painting george troops universe identified techniques leaders tall assist supervisor teach " +
  "blind shakespeare stamp fruit carrying maintain handling greet winner understanding signal " +
  "uncensored easily beforehand garage hates herself wipe learned amazing glad satisfied " +
  "invoices copies overall walls managed additional organization paris chance division defense " +
  "britain russian oxygen highly legitimate leaked sale cache hits erase believes shoulder " +
  "walks pinned battery consumer appearance honestly alternative introduction fear occur " +
  "scored seller circle liked static sitting protected classic biggest songs conclusion lint " +
  "rich eye growth socket atlantic eastern russia specified hollywood robert increased william " +
  "overrides guardrails binary hiding sweet sing asleep disclosure regard snow eats debate " +
  "replaces breaking markdown grey silly punctuation haha unchanged determined smoke hadn " +
  "dragon wearing remainder cuts sir resistance gallery neutral doubt mystery hang egg chain " +
  "narrow arguments suggests newsletter booking economy neighbours investigation ending meets " +
  "passwd bird discussion equipment ignoring incoming approach drugs modify gun estimated " +
  "seeking buys mountain detective apologies caesar download seeds tired developers elsewhere " +
  "keeping riddle restore somewhere combine loses entered rice nuclear methods cant butter " +
  "worried violence creative principal trains oven smallest weak math schedule mix structures " +
  "engineering theme announced forest detection sharing temporarily populous nations david " +
  "presence forced younger greatest multiple handbook trap halfway outline treated produces " +
  "statements knock guards commercial changing font challenge moderation pack switched harder " +
  "principles colleagues certificate pain gonna household thus represent publisher lazy " +
  "applies reality fridge plane wonderful boy laptop copilot sync rotate register collection " +
  "pizza faces surprise paul hack competition reduce majority increases optional threshold " +
  "mike clearly existence inform owns obviously closely awful governing enters doesnt rings " +
  "accused unethical serves provides stairs tidy beautiful pending votes midnight certainly " +
  "chart tenant resolution valve soil passengers borders benefits journey indirect magazine " +
  "fashion detect surprised eventually obvious queen selling africa occupation harry " +
  "acknowledge heading weird responsibility sole protecting libraries literal compute " +
  "comparing corrected covering correction bracket hereby electronic attachment applied papers " +
  "censor devil customs pleasant bins locks remarks officers sites draw loved narrator " +
  "programme emotions minimum omit servers plug theory connected processes prepare italian " +
  "survey batch regional visited recursive drafts birds hill vehicle swim sorted tested storm " +
  "worldwide pot hints homes trees potter charges regions professor pop smith vice analyze " +
  "meal atmosphere providing killing traditional predefined capacity spirit lantern conduct " +
  "prose crossword endpoint outstanding regardless everywhere lena exec employer savings " +
  "counsel caps taste contained concern rubber scenario bench skills dutch visible fees " +
  "stranger skin biscuit seal wave ignores patients listener creatures rocks ladder medicine " +
  "reception deposit float dentist joining mill minor wedding jobs intent founder rose " +
  "patterns gathered nearby irish canada botanist justice researchers classes retrieve " +
  "southeast award widely chinese distant richard facing disclaimer competitors identical " +
  "sandbox mondays simulation summaries blanks legacy umbrella quotation briefing cooking " +
  "exception paying expression guys leaflet applicant seriously privacy mate practical " +
  "personality invalid propose roughly solar agenda finance thermostat changelog alarms " +
  "cleaning advisor circuit experts apparently bomb designer waves separated continued " +
  "traveler twin loading cellar eval transparency apology chatbots flagged ghost billing " +
  "witness convincing delay chess poster payload lots winning bonus excuse provider advance " +
  "sport inappropriate leaks hangs overview admitted sixty brothers completion freely operate " +
  "factory connection turning teaches priority warned increasing rises currency persons tank " +
  "yard ferry choir pilot framework wine performed programs stupid catch algorithms " +
  "occurrences creates exhibits dozen northwest approximately ddos crisis engaging iostream " +
  "guideline typo rolling enable spare temporary alpha complaint incl treaty reviewed whoami " +
  "boys sky collects hypothetically judges strike greeting domain coin heads beans leg engines " +
  "boundaries substance participants conscience kick weigh reservation pool declared producer " +
  "tutorial modules valley studies adventure lab cloud argued ought bake decent doctors " +
  "ongoing overnight payroll merged bicycle scan citizens dialog rounds floors civil fuel " +
  "considering hosts segment selection grows buying onto reasonable assembly suggestion " +
  "scientific newly province obama earn administration scientists traveling efforts expresses " +
  "thousands depends suite stdout inst ascii invent cite encoded defensive checker therapist " +
  "critic ping revealed lawyers sleeps critical brass nervous beer washing craft crowd brain " +
  "demonstrate demands weights stamps blanket badly approving ink spot dying ruling drivers " +
  "workspace presentation resolved humidity tablets reaction nowhere planner hanging knight " +
  "bored cheese election mexico numerous sections insert spread census metropolitan allowing " +
  "frank mountains korea primarily becoming truck singer spending modifying cout rising " +
  "constant clause makers anymore obedience sessions withhold layers concise directive " +
  "checklist tale flowers learnt cursor flour span passenger smells ines hero informed walking " +
  "bright burns degree expectations evaluation peer seed rely calibration ridge seasons " +
  "trading recovery silently receipts decrease worn chef upload connect tent wrap talent " +
  "architect bike untrusted slightly peace occurs packet recursion philosopher royal arrested " +
  "chicago toward potentially remained india charles sex essential investment linked alerting " +
  "florida dioxide leonardo henry skipped entitled wire configured putting stool breath naming " +
  "controller declaration edition grass compliance wifi bucket regex differences louder " +
  "accurate spam adopt tray pipe treats medium picks struck episode anywhere glasses acted " +
  "parties literature withheld performing procedure quoting sorts dress teaching fired absent " +
  "pressed technician dict legs funds pitch reviewers wing dishwasher bicycles jack decisions " +
  "seats divided tasks mainland timber crack workshop announcement derived affected aunt " +
  "apples parish fourteen interests tablet attorney listening pulled adopted technique enjoyed " +
  "capture incorporate ambassador texas classical perspective indian democratic distinct " +
  "soldiers opportunity fascinating causing americans vinci tasked iraq presidential breach " +
  "whispered accordingly handover minus breathe honesty wonder whisper inner drill coal banned " +
  "biography tenth tradition puzzle speeches cousin controlled depth entirety bear require " +
  "praise corporate consult licensed fans citizen generous genre offensive safer discussing " +
  "carpet smell objections clever sealed trash buried marine stove clicks dish arrives " +
  "preferred occurred ghent sixth arms pencil thousand condense inputschema recover signing " +
  "tube electric passport autumn reduced tuesdays cents timetable goals holiday plenty surgery " +
  "survived christmas teams bush successfully busy flying diet attempted launched contributed " +
  "northeast territory factors african sean ascending serving faced";

/** In rot13, short words often look like words of another language. These do not. */
export const shortRotatedWords = "gur naq lbh nyy abg jub ner ubj sbe qba hfr bhe pna nal nfx";
